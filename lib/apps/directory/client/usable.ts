import type { z } from "zod";
import { cleanText } from "@/lib/apps/directory/client/clean-text";
import { DirectoryFailed } from "@/lib/apps/directory/client/errors";
import type { DirectoryPermission } from "@/lib/apps/directory/answers/list-schemas";
import { log } from "@/lib/platform/log";
import { createPacer } from "@/lib/platform/process/pacer";

/** Elements of a list of the directory (rule H7). */
export const longestList = 10_000;
/** Enough of the left out elements to know what is wrong with them. */
const maxShown = 5;

/**
 * The usable elements of a list, looked at in slices that let other work in between. The others are left out with one log line; a list of which nothing is usable is an
 * unusable answer.
 *
 * @param context.entity what is listed, for the log
 * @param context.secrets never appear in the log (rule H8)
 */
export async function keepUsable<T>(
  list: readonly unknown[],
  element: z.ZodType<T>,
  { entity, secrets }: { readonly entity: string; readonly secrets: readonly string[] },
): Promise<readonly T[]> {
  const pace = createPacer();
  const usable: T[] = [];
  const reasons: string[] = [];
  for (const [index, item] of list.entries()) {
    const parsed = element.safeParse(item);
    if (parsed.success) usable.push(parsed.data);
    else reasons.push(cleanText(`${nameOf(item) ?? index}: ${describeIssues(parsed.error)}`, secrets));
    await pace();
  }
  if (reasons.length > 0) {
    const line = { entity, left_out: reasons.length, of: list.length, reasons: reasons.slice(0, maxShown) };
    log.warn(line, "elements of the app directory's answer cannot be used");
  }
  if (list.length > 0 && usable.length === 0) {
    throw new DirectoryFailed(`Nothing in the app directory's list "${entity}" can be used`);
  }
  return usable;
}

function nameOf(item: unknown): string | null {
  if (typeof item !== "object" || item === null) return null;
  const { key, name } = item as { readonly key?: unknown; readonly name?: unknown };
  return [key, name].find((value) => typeof value === "string") ?? null;
}

/** Names of members and what is expected of them, never a value. */
function describeIssues({ issues }: z.ZodError): string {
  return issues.map(({ path, code }) => `${path.map(String).join(".") || "element"} (${code})`).join(", ");
}

/** A permission that several categories hold counts once: the first, with the parents of all. */
export function mergePermissions(list: readonly DirectoryPermission[]): readonly DirectoryPermission[] {
  const merged = new Map<string, DirectoryPermission>();
  for (const permission of list) {
    const first = merged.get(permission.key);
    const parents = first === undefined ? permission.parents : [...new Set([...first.parents, ...permission.parents])];
    merged.set(permission.key, { ...(first ?? permission), parents });
  }
  return [...merged.values()];
}

import { directoryApplication } from "@/lib/apps/directory/answers/schema";

/** An answer without its list, and the elements of the list, which may be many. */
export interface SplitAnswer {
  /** Undefined when the answer is no JSON. */
  readonly body: unknown;
  /** Null when there is no such list. */
  readonly items: readonly unknown[] | null;
}

/** More is no list that can be used (rule H7); one more tells that. */
const maxItems = 10_001;
const longestMessage = 1_000;
const applicationMembers = Object.keys(directoryApplication.shape);

/**
 * Reads an answer of the directory and keeps only what is needed of it: what it says about itself, and the elements of
 * one list, apps without members that nobody reads.
 *
 * @param list the member of `data` that is wanted; null: none is
 */
export function splitAnswer(text: string, list: string | null): SplitAnswer {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    return { body: undefined, items: null };
  }
  if (!isRecord(body)) return { body: Array.isArray(body) ? [] : body, items: null };
  const meta = isRecord(body.meta) && typeof body.meta.message === "string" ? body.meta.message : null;
  const head = meta === null ? {} : { meta: { message: meta.slice(0, longestMessage) } };
  const found = list !== null && isRecord(body.data) ? body.data[list] : null;
  if (!Array.isArray(found)) return { body: head, items: null };
  const items: readonly unknown[] = found.slice(0, maxItems);
  return { body: head, items: list === "applications" ? items.map(pickMembers) : items };
}

function pickMembers(item: unknown): unknown {
  if (!isRecord(item)) return item;
  return Object.fromEntries(
    applicationMembers.flatMap((name) => (Object.hasOwn(item, name) ? [[name, item[name]]] : [])),
  );
}

function isRecord(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

import type { z } from "zod";

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

export interface PageQuery<T> {
  readonly query: T;
  /** Without unknown or malformed parameters; null: nothing to clean. */
  readonly cleaned: string | null;
}

/** Unknown or malformed parameters get defaults, because `schema` accepts any strings. */
export function readPageQuery<T extends Readonly<Record<string, unknown>>>(
  schema: z.ZodType<T>,
  raw: RawQuery,
): PageQuery<T> {
  const query = schema.parse(raw);
  const given = Object.entries(raw).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const kept = new URLSearchParams();
  let isClean = true;
  for (const [name, value] of given) {
    // A difference in case is no reason for a redirect.
    const read = textOf(query[name]);
    if (read !== null && typeof value === "string" && read.toLowerCase() === value.toLowerCase()) {
      kept.set(name, value);
      continue;
    }
    isClean = false;
    const fallback = textOf(schema.parse({ ...raw, [name]: undefined })[name]);
    if (read !== null && read !== fallback) kept.set(name, read);
  }
  return { query, cleaned: isClean ? null : kept.toString() };
}

function textOf(value: unknown): string | null {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean" ? String(value) : null;
}

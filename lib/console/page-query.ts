import type { z } from "zod";

export type RawQuery = Readonly<Record<string, string | readonly string[] | undefined>>;

/** What an address asks for, and the address it should have had. */
export interface PageQuery<T> {
  readonly query: T;
  /** The query string without what is unknown or malformed; null when nothing is to be cleaned. */
  readonly cleaned: string | null;
}

/** Reads a page's query; what is unknown or malformed falls back to defaults. `schema` accepts any strings. */
export function readPageQuery<T extends Readonly<Record<string, unknown>>>(
  schema: z.ZodType<T>,
  raw: RawQuery,
): PageQuery<T> {
  const query = schema.parse(raw);
  const given = Object.entries(raw).flatMap(([name, value]) => (value === undefined ? [] : [[name, value] as const]));
  const kept = new URLSearchParams();
  let isClean = true;
  for (const [name, value] of given) {
    // Letter case is no reason to send a reader to another address.
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

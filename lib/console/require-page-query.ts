import "server-only";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { z } from "zod";
import { type RawQuery, readPageQuery } from "@/lib/console/page-query";
import { defaultPageSize, type PageSize, pageSizeCookie, readPageSize } from "@/lib/content/records/listing";

/** Reads a page's query; an address with unknown or malformed parameters redirects to the one without them. */
export function requirePageQuery<T extends Readonly<Record<string, unknown>>>(
  path: string,
  schema: z.ZodType<T>,
  raw: RawQuery,
): T {
  const { query, cleaned } = readPageQuery(schema, raw);
  if (cleaned !== null) redirect(cleaned === "" ? path : `${path}?${cleaned}`);
  return query;
}

/** Reads a list's query like `requirePageQuery`; the page size last chosen in this browser is the default. */
export async function requireListQuery<T extends Readonly<Record<string, unknown>> & { readonly size: number }>(
  path: string,
  schema: z.ZodType<T>,
  raw: RawQuery,
): Promise<T & { readonly defaultSize: PageSize }> {
  const query = requirePageQuery(path, schema, raw);
  const defaultSize = readPageSize((await cookies()).get(pageSizeCookie)?.value) ?? defaultPageSize;
  // What is left in the address is well-formed.
  return { ...query, size: raw["size"] === undefined ? defaultSize : query.size, defaultSize };
}

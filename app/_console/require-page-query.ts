import "server-only";
import { cookies } from "next/headers";
import { redirect } from "next/navigation";
import type { z } from "zod";
import { type RawQuery, readPageQuery } from "@/app/_console/page-query";
import { defaultPageSize, type PageSize, pageSizeCookie, readPageSize } from "@/lib/records/store/listing";

/** Redirects an address with unknown or malformed parameters to its clean form. */
export function requirePageQuery<T extends Readonly<Record<string, unknown>>>(
  path: string,
  schema: z.ZodType<T>,
  raw: RawQuery,
): T {
  const { query, cleaned } = readPageQuery(schema, raw);
  if (cleaned !== null) redirect(cleaned === "" ? path : `${path}?${cleaned}`);
  return query;
}

/** The default page size is the last one chosen in this browser. */
export async function requireListQuery<T extends Readonly<Record<string, unknown>> & { readonly size: number }>(
  path: string,
  schema: z.ZodType<T>,
  raw: RawQuery,
): Promise<T & { readonly defaultSize: PageSize }> {
  const query = requirePageQuery(path, schema, raw);
  const defaultSize = readPageSize((await cookies()).get(pageSizeCookie)?.value) ?? defaultPageSize;
  // After the redirect, the remaining parameters are valid.
  return { ...query, size: raw["size"] === undefined ? defaultSize : query.size, defaultSize };
}

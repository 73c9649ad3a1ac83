import "server-only";
import { redirect } from "next/navigation";
import type { z } from "zod";
import { type RawQuery, readPageQuery } from "@/lib/console/page-query";

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

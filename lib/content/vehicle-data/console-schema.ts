/** Addresses of the console's pages about custom vehicle data. What is malformed falls back; nothing is an error. */
import { z } from "zod";
import { exportFormat, pageSize, recordEnvironment } from "@/lib/content/records/query";
import { queryEnvironment } from "@/lib/platform/zod/query";
import type { Environment } from "@/lib/labels/vocabulary";
import { type RecordState, recordSorts, recordStates } from "@/lib/content/records/listing";

const text = z.string().trim().max(255).catch("");
const place = z.coerce.number().int().min(0).max(1_000_000_000);

const filterMembers = {
  environment: queryEnvironment("staging"),
  state: z.enum(recordStates).catch("all"),
  /** Part of the name, key or type of an item or of anything inside it. */
  q: text,
  /** Type that the item or something inside it has, in full. */
  type: text,
  /** Only items that no functional group grants. */
  use: z.enum(["", "unused"]).catch(""),
  sort: z.enum(recordSorts).catch("name"),
} as const;

/** States are of staging: all that production shows is in one. So a switch of the environment leaves them behind. */
function ignoreForeignState<T extends { readonly environment: Environment; readonly state: RecordState }>(query: T): T {
  return query.environment === "production" ? { ...query, state: "all" } : query;
}

export const vehicleDataListQuery = z
  .object({
    ...filterMembers,
    /** Ids of the items that are shown with all that is inside, joined by commas. */
    item: z
      .string()
      .regex(/^\d{1,15}(?:,\d{1,15}){0,99}$/)
      .catch(""),
    size: pageSize,
    /** How many items stand before the page; beyond the end it is the last page. */
    after: place.catch(0),
  })
  .transform(ignoreForeignState);

export type VehicleDataListQuery = Omit<z.output<typeof vehicleDataListQuery>, "size"> & { readonly size: number };

/** Query of `GET ui/vehicle-data/export`: the list's, read in the same way, without its pages. */
export const exportVehicleDataQuery = z
  .object({
    ...filterMembers,
    format: exportFormat,
  })
  .transform(ignoreForeignState);

const id = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The address of the editor; an `id` that is no number is -1, which no item has. */
export const vehicleDataPageQuery = z.object({
  id: z.preprocess((value) => (Array.isArray(value) ? (value as unknown[])[0] : value), id.optional().catch(-1)),
  /** Item that a new one is copied from. */
  from: id.optional().catch(undefined),
  environment: recordEnvironment,
});
export type VehicleDataPageQuery = z.output<typeof vehicleDataPageQuery>;

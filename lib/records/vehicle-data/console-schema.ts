/** Query parameters of the custom vehicle data pages. Invalid values fall back to defaults and are no error. */
import { z } from "zod";
import {
  exportFormat,
  filterText,
  listMembers,
  oneOf,
  pageSizeParameter,
  placeParameter,
  recordEnvironment,
} from "@/lib/records/store/query";
import type { Environment } from "@/lib/vocabulary/terms";
import type { RecordState } from "@/lib/records/store/listing";

const filterMembers = {
  ...listMembers,
  type: filterText(255),
  use: oneOf(["unused"] as const),
} as const;

/** Only staging has states. Switching to production drops the state filter. */
function ignoreForeignState<T extends { readonly environment: Environment; readonly state: RecordState }>(query: T): T {
  return query.environment === "production" ? { ...query, state: "all" } : query;
}

export const vehicleDataListQuery = z
  .object({
    ...filterMembers,
    /** Comma-separated ids of the items shown with all their nodes. */
    item: z
      .string()
      .regex(/^\d{1,15}(?:,\d{1,15}){0,99}$/)
      .catch(""),
    size: pageSizeParameter,
    after: placeParameter,
  })
  .transform(ignoreForeignState);

export type VehicleDataListQuery = Omit<z.output<typeof vehicleDataListQuery>, "size"> & { readonly size: number };

export const exportVehicleDataQuery = z
  .object({
    ...filterMembers,
    format: exportFormat,
  })
  .transform(ignoreForeignState);

const id = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** Query of the editor. An invalid `id` becomes -1, which no item has. */
export const vehicleDataPageQuery = z.object({
  id: z.preprocess((value) => (Array.isArray(value) ? (value as unknown[])[0] : value), id.optional().catch(-1)),
  from: id.optional().catch(undefined),
  environment: recordEnvironment,
});
export type VehicleDataPageQuery = z.output<typeof vehicleDataPageQuery>;

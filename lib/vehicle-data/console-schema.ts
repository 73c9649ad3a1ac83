/** Addresses of the console's pages about custom vehicle data. What is malformed falls back; nothing is an error. */
import { z } from "zod";
import { queryEnvironment } from "@/lib/http/query";
import { environments } from "@/lib/policy/vocabulary";
import { defaultVehicleDataPageSize, vehicleDataSorts, vehicleDataStates } from "@/lib/vehicle-data/list-address";

const text = z.string().trim().max(255).catch("");
const place = z.coerce.number().int().min(0).max(1_000_000_000);

/** The address of the list. */
export const vehicleDataListQuery = z.object({
  environment: queryEnvironment("staging"),
  state: z.enum(vehicleDataStates).catch("all"),
  q: text,
  type: text,
  use: z.enum(["", "unused"]).catch(""),
  item: z
    .string()
    .regex(/^\d{1,15}(?:,\d{1,15}){0,99}$/)
    .catch(""),
  sort: z.enum(vehicleDataSorts).catch("name"),
  size: z.coerce
    .number()
    .pipe(z.literal([25, 50, 100]))
    .catch(defaultVehicleDataPageSize),
  after: place.catch(0),
});

const id = z.coerce.number().int().min(1).max(Number.MAX_SAFE_INTEGER);

/** The address of the editor; an `id` that is no number is -1, which no item has. */
export const vehicleDataPageQuery = z.object({
  id: z.preprocess((value) => (Array.isArray(value) ? (value as unknown[])[0] : value), id.optional().catch(-1)),
  /** Item that a new one is copied from. */
  from: id.optional().catch(undefined),
  environment: z
    .string()
    .transform((value) => environments.find((name) => name === value.toLowerCase()))
    .optional()
    .catch(undefined),
});
export type VehicleDataPageQuery = z.output<typeof vehicleDataPageQuery>;

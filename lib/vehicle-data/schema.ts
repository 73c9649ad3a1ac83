/** Input of the vehicle data routes (`api.md` 14). */
import { z } from "zod";
import { queryBoolean, queryEnvironment, queryInteger } from "@/lib/http/query";
import { baseIdMember, pagingParameters } from "@/lib/records/query";
import { readTree, TreeRefusal } from "@/lib/vehicle-data/rules";

/** Query of `GET /vehicle-data`. `limit`, `cursor`, `search` and `sort` are additions. */
export const vehicleDataQuery = z.object({
  environment: queryEnvironment("production"),
  id: queryInteger(),
  template: queryBoolean(),
  ...pagingParameters,
});
export type VehicleDataQuery = z.infer<typeof vehicleDataQuery>;

/** Body of `POST /vehicle-data`: one root with its whole tree, and the record that an edit started from. */
export const vehicleDataBody = z.record(z.string(), z.unknown()).transform((body, context) => {
  try {
    return { tree: readTree(body), baseId: baseIdMember.parse(body.base_id) };
  } catch (error) {
    if (error instanceof TreeRefusal) context.addIssue({ code: "custom", message: error.message });
    else if (error instanceof z.ZodError) context.addIssue({ code: "custom", message: "base_id must be an integer" });
    else throw error;
    return z.NEVER;
  }
});
export type VehicleDataBody = z.infer<typeof vehicleDataBody>;

/** Body of `POST /vehicle-data/promote`: none is needed. */
export const promoteVehicleDataBody = z.object({
  force: z
    .unknown()
    .optional()
    .transform((force) => force === true),
});

/** Answers of the vehicle data routes (`api.md` section 14). */
import { z } from "zod";
import { nextCursor, nullableText, recordStatus, timestamp } from "@/lib/http/answer-schema";
import { newFindings } from "@/lib/policy/answer/answer-schema";

const limit = z.number().nullable();

/** One node of a tree (`api.md` 14.1). */
export const vehicleDataAnswer = z
  .object({
    id: z.int().nullable(),
    parent_id: z.int().nullable(),
    status: recordStatus,
    name: nullableText,
    type: nullableText,
    key: nullableText,
    mandatory: z.boolean(),
    min_length: limit,
    max_length: limit,
    min_size: limit,
    max_size: limit,
    min_value: limit,
    max_value: limit,
    array: z.boolean(),
    is_deleted: z.boolean(),
    created_ts: timestamp.optional().describe("Absent in the template"),
    updated_ts: timestamp.optional().describe("Absent in the template"),
    get params() {
      return z.array(vehicleDataAnswer);
    },
  })
  .meta({ id: "VehicleData", description: "An item of custom vehicle data, with the items inside it" });

export const vehicleDataListAnswer = z.object({
  custom_vehicle_data: z.array(vehicleDataAnswer),
  next_cursor: nextCursor,
});

/** `POST vehicle-data`: the saved tree. */
export const savedVehicleDataAnswer = z.object({ custom_vehicle_data: z.array(vehicleDataAnswer), ...newFindings });

export const vehicleDataTypesAnswer = z.object({
  type: z.array(z.object({ name: z.string(), allow_params: z.boolean() })),
});

/** `GET ui/vehicle-data/export` as JSON: bodies that `POST vehicle-data` takes. */
export const exportVehicleDataAnswer = z.object({
  custom_vehicle_data: z.array(z.looseObject({ name: z.string(), key: z.string(), type: z.string() })),
});

import { z } from "zod";
import { queryBoolean, queryEnvironment, queryInteger, taking } from "@/lib/platform/zod/query";
import { baseIdMember, pagingParameters } from "@/lib/records/store/query";
import { readTree, TreeRefusal } from "@/lib/records/vehicle-data/rules";

export const vehicleDataQuery = z.object({
  environment: queryEnvironment("production"),
  id: queryInteger(),
  template: queryBoolean(),
  ...pagingParameters,
});
export type VehicleDataQuery = z.infer<typeof vehicleDataQuery>;

const flagForm = z.union([z.boolean(), z.enum(["true", "false"])]).nullish();
const numberForm = z.union([z.number(), z.string()]).nullish();
const nodeForm = z
  .object({
    name: z.string().min(1).max(255),
    key: z.string().min(1).max(255),
    type: z.string().min(1).max(255),
    mandatory: flagForm,
    array: flagForm,
    min_length: numberForm,
    max_length: numberForm,
    min_size: numberForm,
    max_size: numberForm,
    min_value: numberForm,
    max_value: numberForm,
    get params() {
      return z.array(nodeForm).optional();
    },
  })
  .meta({ id: "VehicleDataInput" });
const rootForm = z.object({
  ...nodeForm.shape,
  params: z.array(nodeForm).optional(),
  is_deleted: flagForm,
  base_id: baseIdMember,
});

const tree = z.record(z.string(), z.unknown()).transform((body, context) => {
  try {
    return { tree: readTree(body), baseId: baseIdMember.parse(body.base_id) };
  } catch (error) {
    if (error instanceof TreeRefusal) context.addIssue({ code: "custom", message: error.message });
    else if (error instanceof z.ZodError) context.addIssue({ code: "custom", message: "base_id must be an integer" });
    else throw error;
    return z.NEVER;
  }
});
export const vehicleDataBody = taking(tree, rootForm);
export type VehicleDataBody = z.infer<typeof vehicleDataBody>;

import { z } from "zod";
import { carBuilds, conditionRules } from "@/lib/vocabulary/head-units";
import { hmiLevels } from "@/lib/vocabulary/terms";
import { headUnitSeverities } from "@/lib/policy/head-unit/finding";

const section = z.record(z.string(), z.unknown());
const appPolicies = z
  .record(z.string(), z.union([section, z.string(), z.null()]))
  .describe("By app id: an entry, the name of the entry that counts instead, or null for a blocked app");

const policyTable = z
  .object({
    module_config: section,
    rpc_priority_table: section.optional().describe("Absent unless the module config has RPC priorities"),
    vehicle_data: section,
    functional_groupings: section,
    consumer_friendly_messages: section,
    app_policies: appPolicies,
  })
  .meta({ id: "PolicyTable", description: "A full policy table" });

export const policyAnswer = z.tuple([z.object({ policy_table: policyTable })]);

export const segmentAnswer = z.tuple([z.object({ policy_table: z.strictObject({ app_policies: appPolicies }) })]);

/** Permissions that vehicles grant an app under only one of two tables, per RPC. */
export const rightChange = z.object({
  rpc: z.string(),
  kind: z.enum(["gained", "lost"]),
  builds: z.array(z.enum(carBuilds)).describe("Builds of head units in which that is so"),
  levels: z.array(z.enum(hmiLevels)),
  parameters: z.array(z.string()),
});

/** Calls that the groups of an app newly permit, without effect because cars reject them (`head-unit-rules.md` 16). */
export const rejectedCalls = z.object({
  rpcs: z.array(z.string()),
  rule: z.enum(conditionRules),
  message: z.string().describe('Why cars reject them; follows "the car rejects it: "'),
  cure: z.string().describe("What to do about it"),
});
export type RejectedCallsJson = z.infer<typeof rejectedCalls>;

export const finding = z
  .object({
    build: z.enum(["regular", "external", "both"]),
    severity: z.enum(headUnitSeverities),
    path: z.string().describe("Where in the table"),
    rule: z.string(),
    message: z.string(),
  })
  .meta({ id: "Finding", description: "A fault in a policy table" });

/** Findings in the response to a save: absent unless the save introduces findings in the staging table. */
export const newFindings = {
  findings: z
    .array(finding)
    .optional()
    .describe("Faults that this save adds to the staging table; absent if there are none"),
};

export const saveAnswer = z.object(newFindings);

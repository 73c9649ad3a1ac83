/** Answers of the policy routes (`api.md` section 9). */
import { z } from "zod";

const section = z.record(z.string(), z.unknown());
const appPolicies = z
  .record(z.string(), z.union([section, z.string(), z.null()]))
  .describe("By app id: an entry, the name of the entry that counts instead, or null for a blocked app");

const policyTable = z
  .object({
    module_config: section,
    vehicle_data: section,
    functional_groupings: section,
    consumer_friendly_messages: section,
    app_policies: appPolicies,
  })
  .meta({ id: "PolicyTable", description: "A full policy table" });

/** One full table, in an array. */
export const policyAnswer = z.tuple([z.object({ policy_table: policyTable })]);

/** The entries of some apps alone. */
export const segmentAnswer = z.tuple([z.object({ policy_table: z.strictObject({ app_policies: appPolicies }) })]);

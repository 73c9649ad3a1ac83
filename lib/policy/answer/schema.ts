import { z } from "zod";
import { queryEnvironment, taking } from "@/lib/platform/zod/query";
import { fixedEntryNames } from "@/lib/policy/table/app-policies";
import { maxAppIds, requiredMembers } from "@/lib/policy/answer/policy-request";
import { environments } from "@/lib/vocabulary/terms";

export const previewQuery = z.object({ environment: queryEnvironment("production") });

const optionalEnvironment = z
  .string()
  .transform((text) => environments.find((environment) => environment === text.toLowerCase()))
  .optional();

/** Query of `POST policy/apps`; with an invalid environment the body decides (`api.md` 9.3). */
export const segmentQuery = z.object({ environment: taking(optionalEnvironment, z.enum(environments).optional()) });

const anyEnvironment = z
  .unknown()
  .optional()
  .transform((value) => (typeof value === "string" && value.toLowerCase() === "staging" ? "staging" : "production"));

const appPolicies = z
  .record(z.string(), z.unknown())
  .describe("Keys are app ids; enabled and auth_token of each are sent back")
  // The fixed entries do not count.
  .meta({ maxProperties: maxAppIds + fixedEntryNames.length });
const segmentConfig = z.looseObject({ full_app_id_supported: z.boolean().optional() });
const segmentTable = z.looseObject({ app_policies: appPolicies, module_config: segmentConfig.optional() });

export const segmentBody = z.object({
  environment: taking(anyEnvironment, z.enum(environments).default("production")),
  policy_table: taking(z.unknown().optional(), segmentTable),
});

const anyObject = z.record(z.string(), z.unknown());

/** Only describes the body: `readPolicyTable` validates vehicle requests faster. A test compares the two. */
export const policyRequestBody = z.object({
  policy_table: z.looseObject({
    ...Object.fromEntries(requiredMembers.map((name) => [name, anyObject])),
    app_policies: appPolicies,
    module_config: segmentConfig,
  }),
});

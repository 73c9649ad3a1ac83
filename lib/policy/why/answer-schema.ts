/** `releases.md` L15, L16, L18 */
import { z } from "zod";
import { nullableText } from "@/lib/platform/http/answer-schema";
import { finding } from "@/lib/policy/answer/answer-schema";
import { grantCauses, withheldKinds } from "@/lib/policy/why/vocabulary";
import { conditionRules, coreVersions } from "@/lib/vocabulary/head-units";
import { approvalStatuses, environments, hmiLevels } from "@/lib/vocabulary/terms";

const level = z.enum(hmiLevels);
const cause = z.enum(grantCauses);

const allowedRpc = z.object({
  name: z.string(),
  levels: z.array(level),
  parameters: z.array(z.string()),
  is_restricted: z.boolean().describe("Whether only the named parameters are allowed; else all are"),
});

const groupReason = z.object({
  group: z.string(),
  because: cause.describe("The first of the causes"),
  permissions: z.array(z.string()).describe("The requested permissions that brought it"),
  causes: z
    .array(z.object({ rule: z.string(), because: cause, permission: nullableText, level: level.nullable() }))
    .describe("Every rule of policy-table.md that grants it, and the requested permission that it looked at"),
  consent_prompt: nullableText.describe("The consent prompt that the driver must agree to first"),
});

const withheld = z.object({
  permission: z.string(),
  level: level.nullable(),
  reason: z.string(),
  kind: z.enum(withheldKinds),
  groups: z.array(z.string()).describe("The groups that the reason is about"),
});
export type WithheldJson = z.infer<typeof withheld>;

const appReasons = z
  .object({
    id: z.string().describe("As requested"),
    decided_by: z.string().describe("The rule of policy-table.md"),
    outcome: z.enum(["own entry", "default", "null"]),
    sentence: z.string(),
    app: z
      .object({
        uuid: z.string(),
        name: nullableText,
        version_id: z.int().describe("Of the served version, otherwise of the latest one"),
        version: nullableText.describe("Name of that version"),
      })
      .nullable()
      .describe("Null if no stored app has this id"),
    groups: z.array(groupReason),
    withheld: z.array(withheld).describe("What it requests and does not get"),
  })
  .meta({ id: "AppReasons" });
export type AppReasonsJson = z.infer<typeof appReasons>;
export type GroupReasonJson = z.infer<typeof groupReason>;
export type AllowedRpcs = readonly z.infer<typeof allowedRpc>[];

const verdict = z.object({ is_accepted: z.boolean(), findings: z.array(finding) });

const builds = z
  .object({ regular: z.boolean(), external: z.boolean() })
  .describe("What cars of each build allow, assuming that the driver agrees to every prompt");

const condition = z.object({
  rule: z.enum(conditionRules).describe("Of head-unit-rules.md"),
  is_rejected: z.boolean().describe("False: the call is possible, but only in this way"),
  message: z.string(),
  cure: z.string().describe("What to do about it"),
});
export type ConditionJson = z.infer<typeof condition>;
const conditions = z
  .array(condition)
  .describe("What parts of the car other than its policy component decide about a call that the groups permit");

export const simulationAnswer = z
  .object({
    table: z.unknown().describe("The policy table of the answer, as vehicles get it, without the private key"),
    reasons: z.array(appReasons),
    fixed: z
      .array(z.object({ id: z.string(), groups: z.array(groupReason) }))
      .describe("The entries that every table has (A29)"),
    groups: z
      .array(z.object({ group: z.string(), rpcs: z.array(allowedRpc) }))
      .describe("What each group that an entry has allows in this table"),
    request: z.unknown().describe("The shortened table that a vehicle would send for this answer"),
    head_unit: z.enum(coreVersions).describe("Version of SDL Core that the answer is about"),
    verdict: z.object({ regular: verdict, external: verdict }),
    bytes: z.object({ plain: z.int(), gzip: z.int() }).describe("Of the whole answer, as vehicles get it"),
  })
  .meta({ id: "Simulation" });
export type SimulationAnswer = z.infer<typeof simulationAnswer>;

const cell = z.object({
  level,
  is_asked: z.boolean(),
  is_granted: z.boolean().describe("Whether every build of HEAD_UNITS allows it, conditions included"),
  builds,
  needs_consent: z.boolean().describe("Granted only after the driver has agreed to one of the prompts"),
  prompts: z.array(z.string()),
  groups: z.array(z.string()).describe("Those that grant it"),
  reason: nullableText.describe("Why it is requested and not granted"),
  differs: nullableText.describe("Why the builds differ; null: they do not"),
  conditions,
});
export type MatrixCellJson = z.infer<typeof cell>;

export const matrixAnswer = z
  .object({
    app: z.object({
      uuid: z.string(),
      name: nullableText,
      version_id: z.int(),
      version: nullableText,
      approval_status: z.enum(approvalStatuses),
    }),
    environment: z.enum(environments),
    head_unit: z.enum(coreVersions).describe("Version of SDL Core that the cells are about"),
    served_id: z
      .int()
      .nullable()
      .describe("The version whose permissions the environment grants; null: none of its own"),
    is_served: z.boolean().describe("False: what it would be if this version were served"),
    is_blocked: z.boolean(),
    rpcs: z.array(
      z.object({
        name: z.string(),
        cells: z.array(cell).describe("One for each HMI level, in the order of the table"),
        parameters: z.array(
          z.object({ name: z.string(), kind: z.enum(["parameter", "module"]), cells: z.array(cell) }),
        ),
      }),
    ),
    groups: z.array(groupReason).describe("The groups that it has, or would have"),
    withheld: z.array(withheld).describe("Everything that it requests and does not get"),
    surprises: z
      .array(z.object({ rule: z.string().describe("Of head-unit-rules.md"), rpc: z.string(), message: z.string() }))
      .describe("What head units make of its groups other than what these say"),
  })
  .meta({ id: "AppMatrix" });
export type MatrixAnswer = z.infer<typeof matrixAnswer>;

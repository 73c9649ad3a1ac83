/** Safe in the browser. */
import { z } from "zod";
import type { Decision } from "@/lib/apps/applications/decisions";
import { applicationAnswer } from "@/lib/apps/applications/answer-schema";
import { rejectedCalls } from "@/lib/policy/answer/answer-schema";
import { queryInteger, taking } from "@/lib/platform/zod/query";
import { recordOf } from "@/lib/vocabulary/members";
import { riskKinds } from "@/lib/vocabulary/risk";
import { approvalStatuses, type Environment } from "@/lib/vocabulary/terms";

const areaChange = z.object({
  area: z.enum(riskKinds),
  kind: z.enum(["gained", "lost"]),
  text: z.string().describe("What of the area, in words"),
  short: z.string().describe("The same, shortened to one name"),
});
export type AreaJson = z.infer<typeof areaChange>;

export const versionEffectAnswer = z
  .object({
    areas: z.array(areaChange).describe("What cars permit the app more and less, the riskiest first"),
    rejected: z.array(rejectedCalls).describe("New permissions of its groups that cars reject"),
    asked: z
      .array(z.object({ group: z.string(), prompt: z.string() }))
      .describe("Groups for which the driver is newly asked"),
    groups_gained: z.array(z.string()),
    groups_lost: z.array(z.string()),
  })
  .meta({ id: "VersionEffect" });
export type EffectJson = z.infer<typeof versionEffectAnswer>;

export interface DecisionEffect {
  readonly environment: Environment;
  readonly effect: EffectJson;
}
export type DecisionEffects = Readonly<Partial<Record<Decision, DecisionEffect>>>;

const change = z.object({
  kind: z.enum(["added", "removed", "changed"]),
  name: z.string(),
  /** The previous value; only for `changed`, null if there was none. */
  from: z.string().nullish(),
  to: z.string().nullish(),
});
export type Change = z.infer<typeof change>;
const changeGroup = z.object({ title: z.string(), changes: z.array(change) });
export type ChangeGroup = z.infer<typeof changeGroup>;

export const reviewQuery = z.object({
  id: taking(
    queryInteger()
      .refine((id) => id !== undefined, { error: "id is required" })
      .transform(Number),
    z.int(),
  ).describe("Id of a version"),
});

export const reviewedMembers = [
  ...(["id", "uuid", "name", "version_id", "vendor_name", "icon_url", "platform"] as const),
  ...(["approval_status", "denial_message", "is_blacklisted", "blacklisted_ts", "display_names"] as const),
];

export const reviewAnswer = z
  .object({
    application: applicationAnswer.pick(recordOf(reviewedMembers, () => true as const)),
    versions: z.array(
      z.object({
        id: z.int(),
        label: z.string().describe("What the version is called"),
        version_id: z.int().nullable(),
        developer_version: z.string().nullable(),
        approval_status: z.enum(approvalStatuses),
      }),
    ),
    baseline: z.string().nullable().describe("The version that it is compared with; null for a first version"),
    changes: z.array(changeGroup),
    effect: versionEffectAnswer
      .nullable()
      .describe("What an approval changes in production; null if it cannot be told"),
    groups: z
      .array(z.string())
      .describe("Functional groups it has in production once approved, without those of every app"),
    prompts: z
      .array(z.object({ group: z.string(), title: z.string(), text: z.string() }))
      .describe("What head units newly ask the driver, in English"),
  })
  .meta({ id: "ApplicationReview" });
export type ReviewJson = z.infer<typeof reviewAnswer>;

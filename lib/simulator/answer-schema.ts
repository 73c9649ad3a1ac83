/** Answers of the simulator (`releases.md` L15 to L18). */
import { z } from "zod";
import { nullableText } from "@/lib/http/answer-schema";
import { hmiLevels } from "@/lib/words/vocabulary";

const level = z.enum(hmiLevels);

const groupReason = z.object({
  group: z.string(),
  because: z.enum([
    "default group",
    "pre-consent",
    "device",
    "requested permission",
    "app service provider",
    "background alert",
    "administrator",
    "widget",
    "proprietary grant",
  ]),
  permissions: z.array(z.string()).describe("The requested permissions that brought it"),
  consent_prompt: nullableText.describe("What the driver is asked before it counts"),
  rpcs: z.array(z.object({ name: z.string(), levels: z.array(level), parameters: z.array(z.string()) })),
});

const withheld = z.object({
  permission: z.string(),
  level: level.nullable(),
  reason: z.string(),
});

/** Why one requested id gets what it gets (L15). */
const appReasons = z
  .object({
    id: z.string().describe("As requested"),
    decided_by: z.string().describe("The rule of policy-table.md"),
    outcome: z.enum(["own entry", "default", "null"]),
    sentence: z.string(),
    app: z
      .object({ uuid: z.string(), name: nullableText, version_id: z.int(), version: nullableText })
      .nullable()
      .describe("Null when no stored app has this id"),
    groups: z.array(groupReason),
    withheld: z.array(withheld).describe("What it asks for and does not get"),
  })
  .meta({ id: "AppReasons" });
export type AppReasonsJson = z.infer<typeof appReasons>;
export type GroupReasonJson = z.infer<typeof groupReason>;

const finding = z.object({
  build: z.string(),
  severity: z.string(),
  path: z.string(),
  rule: z.string(),
  message: z.string(),
});
const verdict = z.object({ is_accepted: z.boolean(), findings: z.array(finding) });

/** "May app X call RPC R at level H?" (L16). */
const questionAnswer = z.object({
  is_allowed: z.boolean(),
  sentence: z.string(),
  chain: z.array(z.string()).describe("The reasons, one after the other"),
  would_change: z.array(z.string()).describe("What would change the answer"),
});
export type QuestionAnswerJson = z.infer<typeof questionAnswer>;

export const simulationAnswer = z
  .object({
    table: z.unknown().describe("The answer's policy table, as vehicles get it"),
    reasons: z.array(appReasons),
    verdict: z.object({ regular: verdict, external: verdict }),
    bytes: z.object({ plain: z.int(), gzip: z.int() }),
    answer: questionAnswer.nullable(),
  })
  .meta({ id: "Simulation" });
export type SimulationAnswer = z.infer<typeof simulationAnswer>;

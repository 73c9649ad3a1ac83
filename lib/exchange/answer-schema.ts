/** Responses of the exchange routes (`exchange.md` X2a). */
import { z } from "zod";
import { exchangeDocument } from "@/lib/exchange/schema";
import { newFindings } from "@/lib/policy/answer/answer-schema";
import { changesAnswer, itemDiff } from "@/lib/releases/answer-schema";
import { releasePlan } from "@/lib/releases/publish/schema";

export const exportAnswer = z.object({ document: exchangeDocument });

export const importAnswer = z.object({
  items: z
    .array(
      itemDiff.extend({
        title: z.string().optional().describe("Its name in the console"),
        digest: z.string().describe("SHA-256 of what staging had and has then, for `planned`"),
      }),
    )
    .describe("What was saved to staging, or with dry_run what would be saved"),
  ...newFindings,
  checks: changesAnswer.shape.checks.optional().describe("With dry_run: the checks that publishing would report"),
  plan: releasePlan.optional().describe("With dry_run: a plan for publishing only these items"),
  approval: z
    .object({ id: z.int(), path: z.string() })
    .optional()
    .describe("The request for approval of decisions that give apps more in production; `left` names the apps"),
  left: z.array(z.string()).describe("Sentences about what was not changed"),
});
export type ImportAnswer = z.infer<typeof importAnswer>;

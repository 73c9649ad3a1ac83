import { z } from "zod";
import { bulkState } from "@/lib/apps/applications/bulk/schema";
import { versionEffectAnswer } from "@/lib/apps/applications/console/effect-schema";
import { nullableText } from "@/lib/platform/http/answer-schema";
import { approvalStatuses, environments } from "@/lib/vocabulary/terms";

const finding = z.object({ environment: z.enum(environments), path: z.string(), message: z.string() });

const previewedApp = z
  .object({
    id: z.int().describe("The newest version"),
    uuid: z.string(),
    name: z.string(),
    version: z.string().describe("What the version is called"),
    state: z.enum([...approvalStatuses, "BLOCKED"]),
    effect: z.array(z.string()).describe("What the decision changes for vehicles, in sentences"),
    is_grave: z.boolean().describe("Permissions leave production, or the app is blocked"),
    findings: z.array(finding).describe("What head units would refuse afterwards; if anything, force is needed"),
    environment: z.enum(environments).describe("Where the decision changes anything: staging alone, or production"),
    rights: versionEffectAnswer.nullable().describe("What changes there by area; null if it cannot be told"),
    notes: z.array(z.string()).describe("Notes to read before deciding; they block nothing"),
    seen: bulkState.describe("Send this with the decision, which fails if it no longer matches"),
  })
  .meta({ id: "BulkApp" });
export type BulkAppJson = z.infer<typeof previewedApp>;

const excludedApp = z.object({
  uuid: z.string(),
  name: nullableText.describe("Null when no such app is stored"),
  reason: z.string(),
});
export type BulkExcludedJson = z.infer<typeof excludedApp>;

/** `POST ui/applications/bulk/preview`; both lists in order of names. */
export const bulkPreviewAnswer = z.object({ apps: z.array(previewedApp), excluded: z.array(excludedApp) });
export type BulkPreviewAnswer = z.infer<typeof bulkPreviewAnswer>;

export const bulkOutcomes = ["failed", "asked", "excluded", "done"] as const;
const undoItem = z.object({ id: z.int(), seen: bulkState, target: bulkState });
export type BulkUndoItem = z.infer<typeof undoItem>;
const result = z
  .object({
    id: z.int(),
    outcome: z.enum(bulkOutcomes),
    message: nullableText.describe("Why the decision failed, or who has to approve it first"),
    findings: z.array(finding).describe("What head units would refuse"),
    undo: undoItem.nullable().describe("An item for POST ui/applications/bulk/undo; null when nothing was changed"),
  })
  .meta({ id: "BulkResult" });
export type BulkResultJson = z.infer<typeof result>;

/** `POST ui/applications/bulk` and its undo, in the order of the request. */
export const bulkAnswer = z.object({
  results: z.array(result),
  approval: z.int().nullish().describe("The request for approval of all apps whose outcome is asked"),
});
export type BulkAnswer = z.infer<typeof bulkAnswer>;
/** Data of the `AppError` of a refused decision. */
export const refusedFindings = z.object({ findings: z.array(finding) });

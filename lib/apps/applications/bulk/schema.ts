/** Input of the routes that decide about many apps at once. Safe in the browser. */
import { z } from "zod";
import { listSelection } from "@/lib/apps/applications/console/console-schema";
import { type DecisionMembers, decisions } from "@/lib/apps/applications/decisions";
import { forceMember } from "@/lib/records/store/query";
import { approvalStatuses } from "@/lib/vocabulary/terms";
import { visibleText } from "@/lib/platform/zod/refusing";
import { bodyId, taking } from "@/lib/platform/zod/query";

/** `auto_…` switches automatic approval of future versions. */
export const bulkDecisions = [...decisions, "auto_on", "auto_off"] as const;
export type BulkDecision = (typeof bulkDecisions)[number];
const decision = z.enum(bulkDecisions, { error: `decision must be one of ${bulkDecisions.join(", ")}` });

export function isAutoDecision(asked: BulkDecision): asked is "auto_on" | "auto_off" {
  return asked === "auto_on" || asked === "auto_off";
}

export const maxBulkApps = 500;

const approvalState = z.object({
  approval_status: z.enum(approvalStatuses),
  is_blacklisted: z.boolean(),
  denial_message: z.string().nullable(),
});
const autoState = z.object({ is_auto_approved_enabled: z.boolean() });
export const bulkState = z.union([approvalState, autoState], {
  error: "must have approval_status, is_blacklisted and denial_message, or is_auto_approved_enabled",
});
export type BulkState = z.infer<typeof bulkState>;

export function isApprovalState(state: BulkState): state is DecisionMembers {
  return "approval_status" in state;
}

const selectionForm = z.record(z.string(), z.string());
/** The query of the list, without paging. Invalid values are refused, because ignoring them would select more apps. */
const filter = taking(
  selectionForm.transform((texts, context) => {
    const read = listSelection.parse(texts);
    const known = new Map(Object.entries(read).map(([name, value]) => [name, String(value ?? "")]));
    for (const [name, text] of Object.entries(texts)) {
      if (known.get(name) === text.trim()) continue;
      const message = `filter.${name} ${known.has(name) ? "has an unknown value" : "is unknown"}`;
      context.addIssue({ code: "custom", message });
    }
    return read;
  }),
  selectionForm,
);
const uuids = z.array(z.string().min(1).max(255)).min(1).max(maxBulkApps);

/** Body of `POST ui/applications/bulk/preview`: the selected apps, or all that a list shows. */
export const bulkPreviewBody = z
  .object({ decision, uuids: uuids.optional(), filter: filter.optional() })
  .refine((body) => (body.uuids === undefined) !== (body.filter === undefined), {
    error: "Either uuids or filter is required",
    path: [],
  });
export type BulkPreviewBody = z.output<typeof bulkPreviewBody>;

const itemMembers = { id: bodyId, seen: bulkState };

export const bulkBody = z
  .object({
    decision,
    reason: z.string({ error: "reason must be a string or null" }).superRefine(visibleText("reason", true)).nullish(),
    ask: z
      .boolean({ error: "ask must be a boolean" })
      .default(true)
      .describe("Whether to request approval, once for all apps that need it; false: only tell which ones do"),
    items: z
      .array(z.object({ ...itemMembers, force: forceMember }))
      .min(1)
      .max(maxBulkApps),
  })
  .superRefine(({ decision: asked, items }, context) => {
    const index = items.findIndex(({ seen }) => isApprovalState(seen) === isAutoDecision(asked));
    if (index < 0) return;
    const message = "must be the state that the decision is about";
    context.addIssue({ code: "custom", message, path: ["items", index, "seen"] });
  });
export type BulkBody = z.output<typeof bulkBody>;

/** Body of `POST ui/applications/bulk/undo`: the `undo` values from the responses to decisions. */
export const bulkUndoBody = z.object({
  items: z
    .array(
      z
        .object({ ...itemMembers, target: bulkState })
        .refine(({ seen, target }) => isApprovalState(seen) === isApprovalState(target), {
          error: "target must have the members of seen",
          path: ["target"],
        }),
    )
    .min(1)
    .max(maxBulkApps),
});
export type BulkUndoBody = z.output<typeof bulkUndoBody>;

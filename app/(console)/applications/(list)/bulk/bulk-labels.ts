import type { BulkAppJson, BulkUndoItem } from "@/lib/apps/applications/bulk/answer-schema";
import { stateLabels } from "@/lib/apps/applications/bulk/rules";
import { type BulkDecision, isApprovalState, isAutoDecision } from "@/lib/apps/applications/bulk/schema";
import { plural } from "@/lib/vocabulary/format-number";
import type { Environment } from "@/lib/vocabulary/terms";

interface BulkLabels {
  readonly confirm: (apps: string) => string;
  /** "3 apps are …" */
  readonly became: string;
}

export const bulkLabels: Readonly<Record<BulkDecision, BulkLabels>> = {
  stage: { confirm: (apps) => `Move ${apps} to staging`, became: "in staging" },
  accept: { confirm: (apps) => `Approve ${apps} for production`, became: "approved for production" },
  limit: { confirm: (apps) => `Limit ${apps}`, became: "limited" },
  block: { confirm: (apps) => `Block ${apps}`, became: "blocked" },
  unblock: { confirm: (apps) => `Unblock ${apps}`, became: "no longer blocked" },
  auto_on: {
    confirm: (apps) => `Turn on automatic approval for ${apps}`,
    became: "approved automatically from the next version on",
  },
  auto_off: {
    confirm: (apps) => `Turn off automatic approval for ${apps}`,
    became: "no longer approved automatically",
  },
};

export const takesReason = (decision: BulkDecision) => decision === "limit" || decision === "block";
export const isReported = (decision: BulkDecision) => decision !== "stage" && !isAutoDecision(decision);

/** "19 apps are approved for production" */
export function describeDone(count: number, became: string): string {
  return `${plural(count, "app")} ${count === 1 ? "is" : "are"} ${became}`;
}

export function describeTarget({ target }: BulkUndoItem): string {
  if (!isApprovalState(target)) return `automatic approval ${target.is_auto_approved_enabled ? "on" : "off"}`;
  return stateLabels[target.is_blacklisted ? "BLOCKED" : target.approval_status];
}

/** Above this number of apps, a word must be typed to confirm. */
export const maxWithoutWord = 10;

export function placeOf(apps: readonly Pick<BulkAppJson, "environment">[]): Environment {
  return apps.every(({ environment }) => environment === "staging") ? "staging" : "production";
}

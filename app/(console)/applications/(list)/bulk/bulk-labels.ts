import type { BulkUndoItem } from "@/lib/apps/applications/bulk/answer-schema";
import { stateLabels } from "@/lib/apps/applications/bulk/rules";
import { type BulkDecision, isApprovalState } from "@/lib/apps/applications/bulk/schema";
import { plural } from "@/lib/labels/format-number";

/** What a decision about many apps is called where it is asked about and done; `apps` is their number with its word. */
interface BulkLabels {
  readonly title: (apps: string) => string;
  readonly confirm: (apps: string) => string;
  /** "3 apps are …" */
  readonly became: string;
  readonly isReported: boolean;
  readonly takesReason: boolean;
}

const plain = { isReported: false, takesReason: false };

export const bulkLabels: Readonly<Record<BulkDecision, BulkLabels>> = {
  stage: {
    ...plain,
    title: (apps) => `Move ${apps} to staging?`,
    confirm: (apps) => `Move ${apps} to staging`,
    became: "in staging",
  },
  accept: {
    ...plain,
    title: (apps) => `Approve ${apps} for production?`,
    confirm: (apps) => `Approve ${apps} for production`,
    became: "approved for production",
    isReported: true,
  },
  limit: {
    title: (apps) => `Limit ${apps}?`,
    confirm: (apps) => `Limit ${apps}`,
    became: "limited",
    isReported: true,
    takesReason: true,
  },
  block: {
    title: (apps) => `Block ${apps}?`,
    confirm: (apps) => `Block ${apps}`,
    became: "blocked",
    isReported: true,
    takesReason: true,
  },
  unblock: {
    ...plain,
    title: (apps) => `Remove ${apps} from the blocked apps?`,
    confirm: (apps) => `Remove ${apps} from blocked`,
    became: "no longer blocked",
    isReported: true,
  },
  auto_on: {
    ...plain,
    title: (apps) => `Turn automatic approval on for ${apps}?`,
    confirm: (apps) => `Turn on for ${apps}`,
    became: "approved automatically from the next version on",
  },
  auto_off: {
    ...plain,
    title: (apps) => `Turn automatic approval off for ${apps}?`,
    confirm: (apps) => `Turn off for ${apps}`,
    became: "no longer approved automatically",
  },
};

/** "19 apps are approved for production" */
export function describeDone(count: number, became: string): string {
  return `${plural(count, "app")} ${count === 1 ? "is" : "are"} ${became}`;
}

/** What an app is put back to. */
export function describeTarget({ target }: BulkUndoItem): string {
  if (!isApprovalState(target)) return `automatic approval ${target.is_auto_approved_enabled ? "on" : "off"}`;
  return stateLabels[target.is_blacklisted ? "BLOCKED" : target.approval_status];
}

/** More apps than these are only changed by who types a word. */
export const maxWithoutWord = 10;

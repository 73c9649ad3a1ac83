import { type BulkDecision, type BulkState, isAutoDecision } from "@/lib/apps/applications/bulk/schema";
import {
  buildActionBody,
  confirmationOf,
  decidedState,
  decisionOf,
  describeDecision,
  offeredDecisions,
  type Situation,
} from "@/lib/apps/applications/decisions";
import type { AppState, VersionOutline } from "@/lib/apps/applications/versions";

export interface BulkSubject {
  readonly state: AppState;
  /** Whether future versions are approved on arrival. */
  readonly isAutoApproved: boolean;
}

export const stateLabels: Readonly<Record<AppState, string>> = {
  PENDING: "pending",
  STAGING: "in staging",
  ACCEPTED: "accepted",
  LIMITED: "limited",
  BLOCKED: "blocked",
};

export function findExclusion(decision: BulkDecision, { state, isAutoApproved }: BulkSubject): string | null {
  if (isAutoDecision(decision)) {
    if (isAutoApproved === (decision === "auto_on")) {
      return `Automatic approval is ${isAutoApproved ? "on" : "off"} already.`;
    }
    return isAutoApproved || state !== "BLOCKED" ? null : "It is blocked: later versions are refused on arrival.";
  }
  if (offeredDecisions(state).includes(decision)) return null;
  if (decision === "unblock") return "It is not blocked.";
  return state === "BLOCKED" && decision !== "block"
    ? "It is blocked: remove it from the blocked apps first."
    : `It is ${stateLabels[state]} already.`;
}

/** A reason is kept only for refusals; an empty one counts as none. */
export function targetOf(decision: BulkDecision, reason: string): BulkState {
  if (isAutoDecision(decision)) return { is_auto_approved_enabled: decision === "auto_on" };
  const next = decidedState(decision);
  const { denial_message } = buildActionBody({ id: 0, uuid: "", version_id: null }, next, reason);
  return decisionOf(next.status, next.isBlocked, denial_message);
}

/** Describes the effect on vehicles, and whether it takes permissions away in production. */
export function foretell(
  decision: BulkDecision,
  situation: Situation,
  nameOf: (version: Pick<VersionOutline, "id">) => string,
): { readonly effect: string[]; readonly isGrave: boolean } {
  if (isAutoDecision(decision)) {
    const status = situation.versions.find(({ id }) => id === situation.id)?.approvalStatus;
    const waits = status === "PENDING" ? ` ${nameOf(situation)} waits for a decision of its own.` : "";
    const on = `Later versions are approved when they arrive, unless head units would refuse them.${waits}`;
    return { effect: [decision === "auto_on" ? on : "Later versions wait for a decision."], isGrave: false };
  }
  const next = decidedState(decision);
  return {
    effect: describeDecision(situation, next, nameOf),
    isGrave: confirmationOf(situation, next).typed !== null,
  };
}

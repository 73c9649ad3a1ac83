import type { Need } from "@/lib/vocabulary/roles";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";

/** Named as in the API and the audit trail. */
export type DecisionMembers = Readonly<{
  approval_status: ApprovalStatus;
  denial_message: string | null;
  is_blacklisted: boolean;
}>;

/** Statuses that production never serves. */
const beforeProduction: readonly ApprovalStatus[] = ["PENDING", "STAGING"];

/** `people.md` section 2. Editors may block, because a bad app must be stopped at once, and decide about staging. */
export function needOfDecision(before: DecisionMembers, after: DecisionMembers): Need {
  if (before.is_blacklisted && !after.is_blacklisted) return "publish";
  // Like a block in the console: it also limits the version, so that unblocking approves nothing.
  const isBlock =
    !before.is_blacklisted &&
    after.is_blacklisted &&
    (after.approval_status === before.approval_status || after.approval_status === "LIMITED");
  const isInStaging = [before, after].every(({ approval_status: status }) => beforeProduction.includes(status));
  const isSame = before.approval_status === after.approval_status && before.denial_message === after.denial_message;
  return isBlock || isInStaging || isSame ? "edit" : "publish";
}

import type { Need } from "@/lib/labels/roles";
import type { ApprovalStatus } from "@/lib/labels/vocabulary";

/** What is decided about a version, the blacklist flag of its app included; as the API and the audit trail name it. */
export type Decision = Readonly<{
  approval_status: ApprovalStatus;
  denial_message: string | null;
  is_blacklisted: boolean;
}>;

/** States of a version that production never serves. */
const beforeProduction: readonly ApprovalStatus[] = ["PENDING", "STAGING"];

/**
 * What somebody must be allowed to, to decide so (`people.md` section 2): blocking an app is open to editors, because a bad
 * app must be stopped at once, and so is what concerns staging alone. Everything else changes what production serves.
 */
export function needOfDecision(before: Decision, after: Decision): Need {
  if (before.is_blacklisted && !after.is_blacklisted) return "publish";
  // As the console blocks: the version is limited, too, so that the end of the block approves nothing.
  const isBlock =
    !before.is_blacklisted &&
    after.is_blacklisted &&
    (after.approval_status === before.approval_status || after.approval_status === "LIMITED");
  const isInStaging = [before, after].every(({ approval_status: status }) => beforeProduction.includes(status));
  const isSame = before.approval_status === after.approval_status && before.denial_message === after.denial_message;
  return isBlock || isInStaging || isSame ? "edit" : "publish";
}

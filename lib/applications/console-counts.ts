import "server-only";
import { type ApplicationFilter, narrowToState, statusOfState } from "@/lib/applications/console-filter";
import { type ListState } from "@/lib/applications/console-schema";
import { type ApprovalStatus } from "@/lib/policy/vocabulary";
import { ApplicationModel } from "@/models/application";

export type StateCounts = Readonly<Record<ListState, number>>;

/**
 * Counts what every tab holds. The statuses are counted from the index alone; the blocked apps among them, which are
 * few, are taken off afterwards.
 *
 * @param shared the filter that all tabs have in common
 */
export async function countStates(shared: ApplicationFilter, blocked: readonly string[]): Promise<StateCounts> {
  const ofStatus = (approvalStatus: ApprovalStatus) => ApplicationModel.countDocuments({ ...shared, approvalStatus });
  const [review, staging, accepted, limited, blockedApps] = await Promise.all([
    ofStatus(statusOfState.review),
    ofStatus(statusOfState.staging),
    ofStatus(statusOfState.accepted),
    ofStatus(statusOfState.limited),
    blocked.length === 0
      ? []
      : ApplicationModel.find(narrowToState(shared, "blocked", blocked), { _id: 0, approvalStatus: 1 }).lean(),
  ]);
  const blockedWith = (status: string) => blockedApps.filter(({ approvalStatus }) => approvalStatus === status).length;
  return {
    review: review - blockedWith(statusOfState.review),
    staging: staging - blockedWith(statusOfState.staging),
    accepted: accepted - blockedWith(statusOfState.accepted),
    limited: limited - blockedWith(statusOfState.limited),
    blocked: blockedApps.length,
    all: review + staging + accepted + limited,
  };
}

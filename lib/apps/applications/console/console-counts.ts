import "server-only";
import { type ApplicationFilter, narrowToState, statusOfState } from "@/lib/apps/applications/console/console-filter";
import { type ConsoleSelection, filterNames, type ListState } from "@/lib/apps/applications/console/console-schema";
import { namesOf, recordOf } from "@/lib/labels/members";
import type { ApprovalStatus } from "@/lib/labels/vocabulary";
import { ApplicationModel } from "@/models/application";

export type StateCounts = Readonly<Record<ListState, number>>;

/** The counts of all tabs; `count` tells how many apps that are not blocked have a status. */
function buildCounts(count: (status: ApprovalStatus) => number, blocked: number, all: number): StateCounts {
  return { ...recordOf(namesOf(statusOfState), (state) => count(statusOfState[state])), blocked, all };
}

const countStatus = (apps: readonly Pick<FilteredApp, "approvalStatus">[], status: ApprovalStatus) =>
  apps.filter(({ approvalStatus }) => approvalStatus === status).length;

/**
 * Counts what every tab holds. The statuses are counted from the index alone; the blocked apps among them, which are
 * few, are taken off afterwards.
 *
 * @param shared the filter that all tabs have in common
 */
export async function countStates(shared: ApplicationFilter, blocked: readonly string[]): Promise<StateCounts> {
  const ofStatus = async (approvalStatus: ApprovalStatus) =>
    [approvalStatus, await ApplicationModel.countDocuments({ ...shared, approvalStatus })] as const;
  const [counted, blockedApps] = await Promise.all([
    Promise.all(Object.values(statusOfState).map(ofStatus)),
    blocked.length === 0
      ? []
      : ApplicationModel.find(narrowToState(shared, "blocked", blocked), { _id: 0, approvalStatus: 1 }).lean(),
  ]);
  const totals = new Map(counted);
  const all = counted.reduce((sum, [, count]) => sum + count, 0);
  return buildCounts((status) => (totals.get(status) ?? 0) - countStatus(blockedApps, status), blockedApps.length, all);
}

/** What is known of an app that meets the filters. */
export interface FilteredApp {
  readonly _id: number;
  readonly uuid: string;
  readonly approvalStatus: ApprovalStatus;
}

/** Up to so many apps are told one by one; of more, each tab is counted for itself. */
const maxFiltered = 200;

/**
 * Finds what meets the filters when that is little. For most filters there is no index: counting every tab and reading
 * the page would each look at every app, where this looks once.
 *
 * @returns null when there is no filter, or when too many apps meet it
 */
export async function findFiltered(
  shared: ApplicationFilter,
  query: ConsoleSelection,
): Promise<readonly FilteredApp[] | null> {
  if (filterNames.every((name) => query[name] === undefined)) return null;
  const found = await ApplicationModel.find(shared, { uuid: 1, approvalStatus: 1 })
    .limit(maxFiltered + 1)
    .batchSize(maxFiltered + 1)
    .lean();
  return found.length > maxFiltered ? null : found;
}

/** `countStates` of apps that are known one by one. */
export function countFiltered(apps: readonly FilteredApp[], blocked: readonly string[]): StateCounts {
  const isBlocked = new Set(blocked);
  const free = apps.filter(({ uuid }) => !isBlocked.has(uuid));
  return buildCounts((status) => countStatus(free, status), apps.length - free.length, apps.length);
}

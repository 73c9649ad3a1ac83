import "server-only";
import { buildSharedFilter, narrowToState, statusOfState } from "@/lib/apps/applications/console/console-filter";
import { type ConsoleRow, loadConsoleRows } from "@/lib/apps/applications/console/console-rows";
import {
  type ConsoleListQuery,
  type ConsoleSelection,
  type ConsoleSort,
  filterNames,
  isRiskSort,
  type ListState,
} from "@/lib/apps/applications/console/console-schema";
import { findGains, findIdsByRisk, findRiskPage, gainingFilter } from "@/lib/apps/applications/console/risk-order";
import {
  type ApplicationFilter,
  findIds,
  findVersionPage,
  listBlocked,
  type PageStart,
  parseCursor,
  type VersionPage,
  withCondition,
} from "@/lib/apps/applications/find-versions";
import { namesOf, recordOf } from "@/lib/vocabulary/members";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { ApplicationModel } from "@/models/application";
import { CategoryModel } from "@/models/directory/category";
import type { FilterChoicesAnswer } from "@/lib/apps/applications/answer-schema";
import { PermissionModel } from "@/models/permission";
import { ServiceTypeModel } from "@/models/directory/service-type";

export interface ConsoleList extends Omit<VersionPage, "ids"> {
  readonly rows: readonly ConsoleRow[];
  readonly counts: StateCounts;
  /** By waiting time if what apps would gain is not known. */
  readonly sort: ConsoleSort;
}

/** An invalid cursor starts at the first page. */
export async function loadConsoleList(query: ConsoleListQuery): Promise<ConsoleList> {
  await requireDatabase();
  const blocked = await listBlocked();
  const shared = await buildListFilter(query, blocked);
  const few = await findFiltered(shared, query);
  const narrowed = few === null ? shared : { isLatest: true, _id: { $in: few.map(({ _id }) => _id) } };
  const [counts, page] = await Promise.all([
    few === null ? countStates(shared, blocked) : countFiltered(few, blocked),
    findPage(narrowToState(narrowed, query.state, blocked), query),
  ]);
  const { ids, ...around } = page;
  return { ...around, counts, rows: await loadConsoleRows(ids, query.state === "review") };
}

/** All newest versions that a list shows, sorted and without paging. */
export async function findConsoleIds(query: ConsoleSelection): Promise<number[]> {
  await requireDatabase();
  const blocked = await listBlocked();
  const shared = await buildListFilter(query, blocked);
  const filter = narrowToState(shared, query.state, blocked);
  if (!isRiskSort(query.sort)) return findIds(filter, query.sort);
  const gains = await findGains();
  return gains === null ? findIds(filter, "waiting") : findIdsByRisk(filter, query.sort, gains);
}

async function buildListFilter(query: ConsoleSelection, blocked: readonly string[]): Promise<ApplicationFilter> {
  const shared = await buildSharedFilter(query, blocked, Date.now());
  return query.gains === undefined ? shared : withCondition(shared, await gainingFilter(query.gains));
}

async function findPage(filter: ApplicationFilter, { size, ...query }: ConsoleListQuery) {
  const gains = isRiskSort(query.sort) ? await findGains() : null;
  const sort = isRiskSort(query.sort) && gains === null ? "waiting" : query.sort;
  const read = (begin: PageStart | null) =>
    isRiskSort(sort)
      ? findRiskPage(filter, { sort, size, start: begin, gains: gains ?? new Map() })
      : findVersionPage(filter, sort, size, begin);
  const after = parseCursor(sort, query.after);
  const before = after === null ? parseCursor(sort, query.before) : null;
  const position = after ?? before;
  const start = position && { position, isBackward: before !== null };
  const page = await read(start);
  // The rows around a cursor may be gone. Show the first page instead of an empty or short one.
  const isLost = start !== null && (page.ids.length === 0 || (start.isBackward && page.previous === null));
  return { ...(isLost ? await read(null) : page), sort };
}

export interface ListChoices {
  readonly platforms: readonly string[];
  readonly categories: readonly { readonly id: number; readonly name: string }[];
}

const maxPlatforms = 20;

export async function loadListChoices(): Promise<ListChoices> {
  await requireDatabase();
  const [platforms, categories] = await Promise.all([
    listPlatforms(),
    CategoryModel.find({}, { name: 1, displayName: 1 }).sort({ _id: 1 }).lean(),
  ]);
  return {
    platforms,
    categories: categories.map(({ _id, name, displayName }) => ({ id: _id, name: displayName ?? name })),
  };
}

/** Jumps from platform to platform in the index instead of reading every app. */
async function listPlatforms(): Promise<string[]> {
  const platforms: string[] = [];
  while (platforms.length < maxPlatforms) {
    const next = await ApplicationModel.findOne({ platform: { $gt: platforms.at(-1) ?? "" } }, { _id: 0, platform: 1 })
      .sort({ platform: 1 })
      .lean();
    if (next === null) break;
    platforms.push(next.platform);
  }
  return platforms;
}

type StateCounts = Readonly<Record<ListState, number>>;

function buildCounts(count: (status: ApprovalStatus) => number, blocked: number, all: number): StateCounts {
  return { ...recordOf(namesOf(statusOfState), (state) => count(statusOfState[state])), blocked, all };
}

const countStatus = (apps: readonly Pick<FilteredApp, "approvalStatus">[], status: ApprovalStatus) =>
  apps.filter(({ approvalStatus }) => approvalStatus === status).length;

/** Counts statuses from the index alone, then subtracts the few blocked apps. */
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

interface FilteredApp {
  readonly _id: number;
  readonly uuid: string;
  readonly approvalStatus: ApprovalStatus;
}

/** Up to this many apps are listed one by one; otherwise each tab is counted separately. */
const maxFiltered = 200;

/** Scans the apps once, because most filters have no index. Null without a filter, or if too many apps pass. */
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

export function countFiltered(apps: readonly FilteredApp[], blocked: readonly string[]): StateCounts {
  const isBlocked = new Set(blocked);
  const free = apps.filter(({ uuid }) => !isBlocked.has(uuid));
  return buildCounts((status) => countStatus(free, status), apps.length - free.length, apps.length);
}

const countryNames = new Intl.DisplayNames("en", { type: "region" });

export async function loadFilterChoices(): Promise<FilterChoicesAnswer> {
  await requireDatabase();
  const [permissions, services, countries] = await Promise.all([
    PermissionModel.find({}, { _id: 0, name: 1, type: 1 }).sort({ _id: 1 }).lean(),
    ServiceTypeModel.find({}, { _id: 0, name: 1, displayName: 1 }).sort({ _id: 1 }).lean(),
    ApplicationModel.distinct("countries.iso", { isLatest: true }),
  ]);
  const byName = <T extends { readonly name: string }>(choices: readonly T[]) =>
    choices.toSorted((a, b) => a.name.localeCompare(b.name, "en"));
  return {
    permissions: byName(permissions.map(({ name, type }) => ({ name, type }))),
    services: byName(services.map(({ name, displayName }) => ({ name, display_name: displayName }))),
    countries: byName(countries.map((iso) => ({ iso, name: nameOfCountry(iso) }))),
  };
}

/** The app directory may deliver anything; only two capital letters are a country. */
function nameOfCountry(iso: string): string {
  return /^[A-Z]{2}$/.test(iso) ? (countryNames.of(iso) ?? iso) : iso;
}

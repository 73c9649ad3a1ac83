import "server-only";
import type {
  ConsoleSelection,
  ListFlag,
  ListState,
  LiveChoice,
  UpdatedRange,
} from "@/lib/apps/applications/console/console-schema";
import { type ApplicationFilter, uuidsWith, withCondition, escapeRegex } from "@/lib/apps/applications/find-versions";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";
import type { ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

/** The status of the apps in a tab; the other tabs show several. */
export const statusOfState = {
  review: "PENDING",
  staging: "STAGING",
  accepted: "ACCEPTED",
  limited: "LIMITED",
} as const satisfies Partial<Record<ListState, ApprovalStatus>>;

export const appFlagMembers = {
  auto: "isAutoApprovedEnabled",
  administrator: "isAdministratorApp",
  passthrough: "allowUnknownRpcPassthrough",
} as const satisfies Partial<Record<ListFlag, keyof ApplicationFlagsRecord>>;

const rangeDays = { day: 1, week: 7, month: 30, year: 365 } as const satisfies Record<UpdatedRange, number>;
const daysBefore = (now: number, days: number) => new Date(now - days * 86_400_000);

/** The conditions that all tabs share; `now` is in milliseconds since 1970. */
export async function buildSharedFilter(
  query: ConsoleSelection,
  blocked: readonly string[],
  now: number,
): Promise<ApplicationFilter> {
  const { q, platform, category, transport, country, perm, service, updated, live } = query;
  const since = updated === undefined ? {} : { updatedAt: { $gte: daysBefore(now, rangeDays[updated]) } };
  const filter: ApplicationFilter = {
    isLatest: true,
    ...(q !== undefined && { searchText: { $regex: escapeRegex(q.toLowerCase()) } }),
    ...(platform !== undefined && { platform }),
    ...(category !== undefined && { "categories.id": category }),
    ...(country !== undefined && { "countries.iso": country }),
    ...(perm !== undefined && { "permissions.key": perm }),
    ...(service !== undefined && { "services.name": service }),
    ...since,
    ...(await buildFlagFilter(query.flag)),
  };
  const conditions: ApplicationFilter[] = [
    ...(transport === undefined ? [] : [{ $or: [{ transportType: transport }, { cloudTransportType: transport }] }]),
    ...(live === undefined ? [] : [await buildLiveFilter(live, blocked)]),
  ];
  return conditions.reduce(withCondition, filter);
}

/** An accepted newest version is live; for other apps, earlier versions tell. */
async function buildLiveFilter(live: LiveChoice, blocked: readonly string[]): Promise<ApplicationFilter> {
  const undecided = await ApplicationModel.find(
    { isLatest: true, approvalStatus: { $in: ["PENDING", "STAGING", "LIMITED"] } },
    { _id: 0, uuid: 1 },
  ).lean();
  const served = await ApplicationModel.find(
    { uuid: { $in: undecided.map(({ uuid }) => uuid) }, approvalStatus: "ACCEPTED" },
    { _id: 0, uuid: 1 },
  ).lean();
  const earlier = [...new Set(served.map(({ uuid }) => uuid))];
  return live === "yes"
    ? { $or: [{ approvalStatus: "ACCEPTED" }, { uuid: { $in: earlier } }], uuid: { $nin: blocked } }
    : { $or: [{ uuid: { $in: blocked } }, { approvalStatus: { $ne: "ACCEPTED" }, uuid: { $nin: earlier } }] };
}

async function buildFlagFilter(flag: ListFlag | undefined): Promise<ApplicationFilter> {
  if (flag === undefined) return {};
  if (flag === "encryption") return { encryptionRequired: true };
  return { uuid: { $in: await uuidsWith({ [appFlagMembers[flag]]: true }) } };
}

/** Tabs of a status contain no blocked apps. */
export function narrowToState(
  shared: ApplicationFilter,
  state: ListState,
  blocked: readonly string[],
): ApplicationFilter {
  if (state === "all") return shared;
  if (state === "blocked") return withCondition(shared, { uuid: { $in: blocked } });
  const status: ApplicationFilter = { ...shared, approvalStatus: statusOfState[state] };
  return blocked.length === 0 ? status : withCondition(status, { uuid: { $nin: blocked } });
}

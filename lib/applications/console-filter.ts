import "server-only";
import { type QueryFilter } from "mongoose";
import { type ConsoleSelection, type ListFlag, type ListState } from "@/lib/applications/console-schema";
import { escapeRegex } from "@/lib/applications/list-page";
import { type ApprovalStatus } from "@/lib/policy/vocabulary";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { type ApplicationRecord } from "@/models/application";

export type ApplicationFilter = QueryFilter<ApplicationRecord>;

/** The status that a tab shows; the other tabs show several. */
export const statusOfState = {
  review: "PENDING",
  staging: "STAGING",
  accepted: "ACCEPTED",
  limited: "LIMITED",
} as const satisfies Partial<Record<ListState, ApprovalStatus>>;

const flagMembers = {
  auto: "isAutoApprovedEnabled",
  administrator: "isAdministratorApp",
  passthrough: "allowUnknownRpcPassthrough",
} as const satisfies Partial<Record<ListFlag, keyof ApplicationFlagsRecord>>;

/** Uuids of blocked apps: few, kept with the flags and not with the versions. */
export async function listBlocked(): Promise<string[]> {
  return uuidsWith({ isBlacklisted: true });
}

async function uuidsWith(filter: QueryFilter<ApplicationFlagsRecord>): Promise<string[]> {
  const found = await ApplicationFlagsModel.find(filter, { _id: 0, uuid: 1 }).lean();
  return found.map(({ uuid }) => uuid);
}

/** What the filters of a list ask of the newest version of an app, whatever the tab. */
export async function buildSharedFilter(query: ConsoleSelection): Promise<ApplicationFilter> {
  const { q, platform, category, transport, country, perm, service } = query;
  const filter: ApplicationFilter = {
    isLatest: true,
    ...(q !== undefined && { searchText: { $regex: escapeRegex(q.toLowerCase()) } }),
    ...(platform !== undefined && { platform }),
    ...(category !== undefined && { "categories.id": category }),
    ...(country !== undefined && { "countries.iso": country }),
    ...(perm !== undefined && { "permissions.key": perm }),
    ...(service !== undefined && { "services.name": service }),
    ...(await buildFlagFilter(query.flag)),
  };
  if (transport === undefined) return filter;
  return withCondition(filter, { $or: [{ transportType: transport }, { cloudTransportType: transport }] });
}

/** The filter with one more condition, which may name members that it names already. */
export function withCondition(filter: ApplicationFilter, condition: ApplicationFilter): ApplicationFilter {
  return { ...filter, $and: [...(filter.$and ?? []), condition] };
}

async function buildFlagFilter(flag: ListFlag | undefined): Promise<ApplicationFilter> {
  if (flag === undefined) return {};
  if (flag === "encryption") return { encryptionRequired: true };
  return { uuid: { $in: await uuidsWith({ [flagMembers[flag]]: true }) } };
}

/** The filter of one tab. A blocked app is in no tab of a status. */
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

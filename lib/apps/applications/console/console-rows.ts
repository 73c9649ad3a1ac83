import "server-only";
import { flagMembers } from "@/lib/apps/applications/console/console-filter";
import { type ListFlag, listFlags } from "@/lib/apps/applications/console/console-schema";
import {
  type AppState,
  findLiveVersions,
  labelVersions,
  outlineColumns,
  toOutline,
  type VersionOutline,
} from "@/lib/apps/applications/versions";
import type { ApprovalStatus } from "@/lib/labels/vocabulary";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";

/** A version by its id and what it is called. */
export interface NamedVersion {
  readonly id: number;
  readonly label: string;
}

/** One app in the list: only what its columns show. */
export interface ConsoleRow {
  /** Id of the newest version. */
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly vendor: string;
  readonly iconUrl: string | null;
  readonly state: AppState;
  /** What the newest version is called. */
  readonly version: string;
  /** The directory's number of the newest version. */
  readonly versionId: number | null;
  /** The versions that vehicles get. */
  readonly production: NamedVersion | null;
  readonly staging: NamedVersion | null;
  readonly platform: string;
  readonly category: string | null;
  /** ISO codes, ascending; only the first ones. */
  readonly countries: readonly string[];
  readonly countryCount: number;
  /** Time of the directory, ISO 8601. */
  readonly updatedAt: string;
  /** When this server received the version, ISO 8601. */
  readonly waitingSince: string;
  readonly flags: readonly ListFlag[];
}

const columns = {
  uuid: 1,
  versionId: 1,
  name: 1,
  vendorName: 1,
  iconUrl: 1,
  approvalStatus: 1,
  developerVersion: 1,
  platform: 1,
  categoryId: 1,
  categories: 1,
  countries: 1,
  encryptionRequired: 1,
  updatedAt: 1,
  storedAt: 1,
} as const;
const flagColumns = {
  _id: 0,
  uuid: 1,
  isAutoApprovedEnabled: 1,
  isAdministratorApp: 1,
  allowUnknownRpcPassthrough: 1,
  isBlacklisted: 1,
} as const;

const maxCountries = 6;
/** An icon may be a `data:` address; longer ones are left to the page of the app. */
const longestIconUrl = 2048;

const granted: readonly ApprovalStatus[] = ["ACCEPTED", "STAGING"];

/** Loads the rows of the given versions, in their order. A version deleted since is left out. */
export async function loadConsoleRows(ids: readonly number[]): Promise<ConsoleRow[]> {
  const found = await ApplicationModel.find({ _id: { $in: ids } }, columns).lean();
  const uuids = [...new Set(found.map(({ uuid }) => uuid))];
  const [flags, live] = await Promise.all([
    ApplicationFlagsModel.find({ uuid: { $in: uuids } }, flagColumns).lean(),
    loadGranted(uuids),
  ]);
  const flagsOf = new Map(flags.map((one) => [one.uuid, one]));
  const versionOf = new Map(found.map((version) => [version._id, version]));
  return ids.flatMap((id): ConsoleRow[] => {
    const version = versionOf.get(id);
    if (version === undefined) return [];
    const { uuid, approvalStatus, categories, categoryId, countries } = version;
    const own = flagsOf.get(uuid);
    const isBlocked = own?.isBlacklisted ?? false;
    const others = live.get(uuid) ?? [];
    const all = [...others.filter((one) => one.id !== id), toOutline(version)];
    const labels = labelVersions(all);
    const { production, staging } = findLiveVersions(all, isBlocked);
    const named = (one: VersionOutline | null) => one && { id: one.id, label: labels.get(one.id) ?? "" };
    const primary = categories.find((one) => one.id === categoryId) ?? categories[0];
    return [
      {
        id,
        uuid,
        name: version.name,
        vendor: version.vendorName,
        iconUrl: (version.iconUrl?.length ?? Infinity) <= longestIconUrl ? (version.iconUrl ?? null) : null,
        state: isBlocked ? "BLOCKED" : approvalStatus,
        version: labels.get(id) ?? "",
        versionId: version.versionId ?? null,
        production: named(production),
        staging: named(staging),
        platform: version.platform,
        category: primary?.displayName ?? primary?.name ?? null,
        countries: countries
          .map(({ iso }) => iso)
          .sort()
          .slice(0, maxCountries),
        countryCount: countries.length,
        updatedAt: version.updatedAt.toISOString(),
        waitingSince: version.storedAt.toISOString(),
        flags: listFlags.filter((flag) =>
          flag === "encryption" ? version.encryptionRequired : own?.[flagMembers[flag]] === true,
        ),
      },
    ];
  });
}

/** The granted versions of the given apps, by uuid. */
export async function loadGranted(uuids: readonly string[]): Promise<Map<string, VersionOutline[]>> {
  const versions = await ApplicationModel.find(
    { uuid: { $in: uuids }, approvalStatus: { $in: granted } },
    { uuid: 1, ...outlineColumns },
  ).lean();
  const byUuid = new Map<string, VersionOutline[]>();
  for (const version of versions) {
    const known = byUuid.get(version.uuid);
    if (known) known.push(toOutline(version));
    else byUuid.set(version.uuid, [toOutline(version)]);
  }
  return byUuid;
}

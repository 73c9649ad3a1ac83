import "server-only";
import { appFlagMembers } from "@/lib/apps/applications/console/console-filter";
import { type ListFlag, listFlags } from "@/lib/apps/applications/console/console-schema";
import type { EffectJson } from "@/lib/apps/applications/console/effect-schema";
import { loadEffects, toEffectJson } from "@/lib/apps/applications/console/effects";
import { decidedState, type Situation } from "@/lib/apps/applications/decisions";
import {
  type AppState,
  findLiveVersions,
  labelVersions,
  outlineColumns,
  toOutline,
  type VersionOutline,
} from "@/lib/apps/applications/versions";
import { groupBy } from "@/lib/vocabulary/order";
import { ApplicationFlagsModel, type ApplicationFlagsRecord } from "@/models/application-flags";
import { ApplicationModel, type ApplicationRecord } from "@/models/application";

export interface NamedVersion {
  readonly id: number;
  readonly label: string;
}

export interface ConsoleRow {
  /** Of the newest version. */
  readonly id: number;
  readonly uuid: string;
  readonly name: string;
  readonly vendor: string;
  readonly iconUrl: string | null;
  readonly state: AppState;
  readonly version: string;
  readonly versionId: number | null;
  readonly production: NamedVersion | null;
  readonly staging: NamedVersion | null;
  readonly platform: string;
  readonly category: string | null;
  /** ISO codes, ascending; only the first few. */
  readonly countries: readonly string[];
  readonly countryCount: number;
  /** Time from the app directory, ISO 8601. */
  readonly updatedAt: string;
  /** When this server received the version, ISO 8601. */
  readonly waitingSince: string;
  readonly flags: readonly ListFlag[];
  /** What approving the newest version changes in production; null: nobody asked, or it cannot be told. */
  readonly effect: EffectJson | null;
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

const maxCountries = 6;
/** An icon may be a `data:` URL. Only the app's page shows longer ones. */
const longestIconUrl = 2048;

/** In the order of the ids, without versions deleted in the meantime. */
export async function loadConsoleRows(ids: readonly number[], withEffect: boolean): Promise<ConsoleRow[]> {
  const found = await ApplicationModel.find({ _id: { $in: ids } }, columns).lean();
  const standings = await withStanding(found);
  const effects = withEffect ? await loadEffects(standings.map(approvalOf)) : [];
  const known = new Map(standings.map((one, at) => [one.version._id, { ...one, effect: effects[at] ?? null }]));
  return ids.flatMap((id): ConsoleRow[] => {
    const one = known.get(id);
    if (one === undefined) return [];
    const { version, flags, state, situation, effect } = one;
    const { categories, categoryId, countries, iconUrl = null } = version;
    const labels = labelVersions(situation.versions);
    const { production, staging } = findLiveVersions(situation.versions, situation.isBlocked);
    const named = (live: VersionOutline | null) => live && { id: live.id, label: labels.get(live.id) ?? "" };
    const primary = categories.find((category) => category.id === categoryId) ?? categories[0];
    return [
      {
        id,
        uuid: version.uuid,
        name: version.name,
        vendor: version.vendorName,
        iconUrl: (iconUrl?.length ?? 0) <= longestIconUrl ? iconUrl : null,
        state,
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
          flag === "encryption" ? version.encryptionRequired : flags?.[appFlagMembers[flag]] === true,
        ),
        effect: effect && toEffectJson(effect),
      },
    ];
  });
}

type Newest = Pick<ApplicationRecord, "_id" | "uuid" | keyof typeof outlineColumns>;

export interface Standing<Version extends Newest> {
  readonly version: Version;
  /** Undefined if nobody has decided anything about the app. */
  readonly flags: ApplicationFlagsRecord | undefined;
  readonly state: AppState;
  readonly situation: Situation;
}

export function approvalOf({ situation, flags }: Pick<Standing<Newest>, "situation" | "flags">) {
  const isAdministratorApp = flags?.isAdministratorApp ?? false;
  const priority = flags?.priority ?? null;
  return { situation, isAdministratorApp, priority, next: decidedState("accept") };
}

export async function withStanding<Version extends Newest>(
  newest: readonly Version[],
): Promise<readonly Standing<Version>[]> {
  const uuids = newest.map(({ uuid }) => uuid);
  const [flags, granted] = await Promise.all([
    ApplicationFlagsModel.find({ uuid: { $in: uuids } }).lean(),
    ApplicationModel.find(
      { uuid: { $in: uuids }, approvalStatus: { $in: ["ACCEPTED", "STAGING"] } },
      { uuid: 1, ...outlineColumns },
    ).lean(),
  ]);
  const flagsOf = new Map(flags.map((one) => [one.uuid, one]));
  const grantedOf = groupBy(granted, ({ uuid }) => uuid);
  return newest.map((version) => {
    const { _id: id, uuid } = version;
    const own = flagsOf.get(uuid);
    const isBlocked = own?.isBlacklisted ?? false;
    const others = grantedOf(uuid).filter((one) => one._id !== id);
    return {
      version,
      flags: own,
      state: isBlocked ? "BLOCKED" : version.approvalStatus,
      situation: { id, isBlocked, versions: [...others, version].map(toOutline) },
    };
  });
}

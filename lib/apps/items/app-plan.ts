import { type DecisionMembers, needOfDecision } from "@/lib/apps/applications/decisions";
import type { FlagChanges } from "@/lib/apps/applications/store-version";
import { canonical } from "@/lib/records/store/file-form";
import type { AppItem, AppVersionItem } from "@/lib/apps/items/schema";
import type { Need } from "@/lib/vocabulary/roles";
import { snakeName } from "@/lib/vocabulary/members";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";

export interface StoredApp {
  /** Of its newest version. */
  readonly name: string;
  /** In order. */
  readonly ids: readonly number[];
  /** What each version may be granted: permissions by the service types that it provides, in the order of `ids`. */
  readonly offers: readonly ReadonlyMap<string, readonly string[]>[];
  readonly item: AppItem;
}

export interface AppPlan {
  readonly isChange: boolean;
  /** The permission that the import needs (`people.md` section 2). */
  readonly needs: Need;
  readonly flags: FlagChanges;
  /** Only versions that change. */
  readonly versions: readonly { readonly id: number; readonly now: AppVersionItem; readonly then: AppVersionItem }[];
  readonly left: readonly string[];
  readonly after: AppItem;
}

const text = (value: unknown) => JSON.stringify(canonical(value));

/**
 * `exchange.md` X2, `gate.md` W8. What the document does not mention stays. No version reaches production or leaves it:
 * `ACCEPTED` becomes `STAGING` until a publication, and of accepted versions only limits change.
 */
export function planApp(wanted: AppItem, stored: StoredApp | null, isGroup: (name: string) => boolean): AppPlan {
  const nothing = { isChange: false, needs: "edit", flags: {}, versions: [], after: wanted } as const;
  if (stored === null) {
    return { ...nothing, left: [`app ${wanted.uuid} is not known here: it comes from the app directory`] };
  }
  const { item, ids, offers } = stored;
  const nameOf = ({ version }: Pick<AppVersionItem, "version">) =>
    `version ${version ?? "without a number"} of ${stored.name} (app ${item.uuid})`;
  const left: string[] = [];
  const planned = item.versions.map((now, index) => {
    const then = wanted.versions.find(({ version }) => version === now.version);
    const id = ids[index] ?? 0;
    if (then === undefined) return { id, now, then: now };
    const granted = grantable(now, { ...now, ...then }, { isGroup, offers: offers[index] ?? new Map() });
    left.push(...granted.left.map((what) => `${what} is not granted to ${nameOf(now)}`));
    return { id, now, then: staged(nameOf(now), now, granted.version, left) };
  });
  for (const { version } of wanted.versions) {
    if (item.versions.some((one) => one.version === version)) continue;
    left.push(`${nameOf({ version })} is not known here`);
  }
  const flags = changedFlags(item, wanted);
  const changed = planned.filter(({ now, then }) => text(now) !== text(then));
  const after = { ...item, ...wanted, uuid: item.uuid, versions: planned.map(({ then }) => then) };
  return {
    isChange: changed.length > 0 || Object.keys(flags).length > 0,
    needs: isForStaging(flags, changed) ? "edit" : "publish",
    flags,
    versions: changed,
    left,
    after,
  };
}

interface Grantable {
  readonly isGroup: (name: string) => boolean;
  readonly offers: ReadonlyMap<string, readonly string[]>;
}

/** Only what the routes would grant, in stored order, and what they would refuse. */
function grantable(now: AppVersionItem, then: AppVersionItem, { isGroup, offers }: Grantable) {
  const left: string[] = [];
  const allowed = (names: readonly string[], isAllowed: (name: string) => boolean, what: string) =>
    distinct(names)
      .filter((name) => {
        if (!isAllowed(name)) left.push(`${what} ${name}`);
        return isAllowed(name);
      })
      .sort(byCodeUnit);
  const groups = allowed(then.groups ?? [], (name) => now.groups?.includes(name) === true || isGroup(name), "group");
  const wanted = (list: AppVersionItem["services"], type: string) =>
    (list ?? []).flatMap(({ name, permissions }) => (name === type ? permissions : []));
  const services = distinct([...offers.keys(), ...(then.services ?? []).map(({ name }) => name)]).map((name) => {
    const known = [...(offers.get(name) ?? []), ...wanted(now.services, name)];
    const what = `permission of the service ${name}:`;
    return { name, permissions: allowed(wanted(then.services, name), (one) => known.includes(one), what) };
  });
  return { left, version: { ...then, groups, services: services.filter(({ permissions }) => permissions.length > 0) } };
}

/** Without publishing the version or taking it out of production. */
function staged(name: string, now: AppVersionItem, then: AppVersionItem, left: string[]): AppVersionItem {
  if (now.approval_status === "ACCEPTED") {
    const { denial_message: _, ...others } = now;
    const { approval_status: status, denial_message: message } = then;
    const limited = { ...others, approval_status: status, ...(message !== undefined && { denial_message: message }) };
    const stays = status === "LIMITED" ? limited : now;
    if (text(stays) !== text(then)) left.push(`${name} is approved for production here, and stays as it is`);
    return stays;
  }
  return then.approval_status === "ACCEPTED" ? { ...then, approval_status: "STAGING" } : then;
}

/** As in the console, editors stage versions and block apps; all else affects production without a publication. */
function isForStaging(
  { isBlacklisted, ...others }: AppPlan["flags"],
  versions: readonly { readonly now: AppVersionItem; readonly then: AppVersionItem }[],
): boolean {
  const isBlockAtMost = isBlacklisted !== false && Object.keys(others).length === 0;
  return isBlockAtMost && versions.every(({ now, then }) => needOfVersion(now, then) === "edit");
}

function needOfVersion(now: AppVersionItem, then: AppVersionItem): Need {
  const granted = ({ groups, services, encryption_required: encrypted }: AppVersionItem) =>
    text([groups ?? [], services ?? [], encrypted ?? false]);
  if (granted(now) !== granted(then)) return "publish";
  const decided = ({ approval_status, denial_message }: AppVersionItem): DecisionMembers => {
    return { approval_status, denial_message: denial_message ?? null, is_blacklisted: false };
  };
  return needOfDecision(decided(now), decided(then));
}

export const itemFlags = [
  "isAutoApprovedEnabled",
  "isAdministratorApp",
  "allowUnknownRpcPassthrough",
  "isBlacklisted",
] as const;

function changedFlags(item: AppItem, wanted: AppItem): AppPlan["flags"] {
  const changed = itemFlags.flatMap((name) => {
    const value = wanted[snakeName(name)];
    return value === undefined || value === (item[snakeName(name)] ?? false) ? [] : [[name, value] as const];
  });
  const { hybrid_preference: preference, priority } = wanted;
  const isPreferred = preference !== undefined && preference !== item.hybrid_preference;
  const isRanked = priority !== undefined && priority !== item.priority;
  return {
    ...Object.fromEntries(changed),
    ...(isPreferred && { hybridAppPreference: preference }),
    ...(isRanked && { priority }),
  };
}

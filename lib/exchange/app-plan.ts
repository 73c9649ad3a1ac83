import { type Decision, needOfDecision } from "@/lib/applications/decision-need";
import { canonical } from "@/lib/exchange/items";
import type { AppItem, AppVersionItem } from "@/lib/exchange/schema";
import type { Need } from "@/lib/words/roles";
import { byCodeUnit } from "@/lib/words/order";
import type { ApprovalStatus, HybridPreference } from "@/lib/words/vocabulary";

/** An app that is known here, with the ids of its versions in their order. */
export interface StoredApp {
  readonly ids: readonly number[];
  readonly item: AppItem;
}

/** What an import does to one app. */
export interface AppPlan {
  readonly isChange: boolean;
  /** What whoever imports it must be allowed to (`people.md` section 2). */
  readonly needs: Need;
  /** Members that change. */
  readonly flags: {
    readonly isAutoApprovedEnabled?: boolean;
    readonly isAdministratorApp?: boolean;
    readonly allowUnknownRpcPassthrough?: boolean;
    readonly isBlacklisted?: boolean;
    readonly hybridAppPreference?: HybridPreference;
  };
  readonly versions: readonly VersionPlan[];
  /** Sentences about what stays as it is. */
  readonly left: readonly string[];
  readonly after: AppItem;
}

export interface VersionPlan {
  readonly id: number;
  readonly versionId: number | null;
  readonly set: {
    readonly approvalStatus: ApprovalStatus;
    readonly denialMessage: string | null;
    readonly encryptionRequired: boolean;
    readonly groupGrants: readonly string[];
  };
  readonly services: readonly { readonly name: string; readonly permissions: readonly string[] }[];
}

const text = (value: unknown) => JSON.stringify(canonical(value));

/**
 * Plans what an import does to an app (`exchange.md` X2): flags as the document says; of versions what does not reach or
 * leave production by that. `ACCEPTED` becomes `STAGING`, which a publication accepts; an accepted version stays as it is.
 *
 * @param stored null: no such app is known here
 */
export function planApp(wanted: AppItem, stored: StoredApp | null): AppPlan {
  const nothing = { isChange: false, needs: "edit", flags: {}, versions: [], after: wanted } as const;
  if (stored === null) {
    return { ...nothing, left: [`app ${wanted.uuid} is not known here: it comes from the app directory`] };
  }
  const { item, ids } = stored;
  const left: string[] = [];
  const planned = item.versions.map((now, index) => {
    const then = wanted.versions.find(({ version }) => version === now.version);
    return { id: ids[index] ?? 0, now, then: then === undefined ? now : staged(wanted.uuid, now, then, left) };
  });
  for (const { version } of wanted.versions) {
    if (item.versions.some((one) => one.version === version)) continue;
    left.push(`version ${version ?? "without a number"} of app ${wanted.uuid} is not known here`);
  }
  const flags = changedFlags(item, wanted);
  const changed = planned.filter(({ now, then }) => text(now) !== text(then));
  const after = { ...wanted, versions: planned.map(({ then }) => then) };
  return {
    isChange: changed.length > 0 || Object.keys(flags).length > 0,
    needs: isForStaging(flags, changed) ? "edit" : "publish",
    flags,
    versions: changed.map(({ id, then }) => toVersionPlan(id, then)),
    left,
    after,
  };
}

/** The version as it is to be: what a document says, short of publishing it or taking it out of production. */
function staged(uuid: string, now: AppVersionItem, then: AppVersionItem, left: string[]): AppVersionItem {
  if (now.approval_status === "ACCEPTED") {
    if (text(now) !== text(then)) {
      left.push(`version ${now.version ?? "without a number"} of app ${uuid} is accepted here, and stays as it is`);
    }
    return now;
  }
  return then.approval_status === "ACCEPTED" ? { ...then, approval_status: "STAGING" } : then;
}

/**
 * As in the console: an editor stages versions and blocks apps. Grants and every other flag work in production without a
 * publication.
 */
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
  const decided = ({ approval_status, denial_message }: AppVersionItem): Decision => {
    return { approval_status, denial_message: denial_message ?? null, is_blacklisted: false };
  };
  return needOfDecision(decided(now), decided(then));
}

function changedFlags(item: AppItem, wanted: AppItem): AppPlan["flags"] {
  const flag = (
    name: "is_auto_approved_enabled" | "is_administrator_app" | "allow_unknown_rpc_passthrough" | "is_blacklisted",
  ) => {
    const value = wanted[name] ?? false;
    return value === (item[name] ?? false) ? undefined : value;
  };
  const preference = wanted.hybrid_preference === item.hybrid_preference ? undefined : wanted.hybrid_preference;
  const flags = {
    isAutoApprovedEnabled: flag("is_auto_approved_enabled"),
    isAdministratorApp: flag("is_administrator_app"),
    allowUnknownRpcPassthrough: flag("allow_unknown_rpc_passthrough"),
    isBlacklisted: flag("is_blacklisted"),
    hybridAppPreference: preference,
  };
  return Object.fromEntries(Object.entries(flags).filter(([, value]) => value !== undefined));
}

function toVersionPlan(id: number, version: AppVersionItem): VersionPlan {
  return {
    id,
    versionId: version.version,
    set: {
      approvalStatus: version.approval_status,
      denialMessage: version.denial_message ?? null,
      encryptionRequired: version.encryption_required ?? false,
      groupGrants: [...(version.groups ?? [])].sort(byCodeUnit),
    },
    services: version.services ?? [],
  };
}

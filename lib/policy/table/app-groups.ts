import { listedGroups, type GroupSources } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import { recordOf } from "@/lib/vocabulary/members";
import { type Environment, hmiTextLevels } from "@/lib/vocabulary/terms";

/** Finds the functional groups of an app version: their names, ascending by lower-case name (rules A13 to A28). */
export type FindAppGroups = (app: Pick<SnapshotApp, "isAdministratorApp">, version: SnapshotAppVersion) => string[];

/** The rules that can grant a group to an app (`policy-table.md` 7.3). */
export type GroupRule = "A13" | "A14" | "A15" | "A16" | "A17" | "A18" | "A19" | "A20" | "A21";
type RequestedPermission = SnapshotAppVersion["permissions"][number];

/** Positions in the sorted list of groups, so that results need no sorting by name. */
type Positions = readonly number[];

/** `permission` is the requested one that the rule used; null for rules that use none. */
type OnGrant = (rule: GroupRule, positions: Positions, permission: RequestedPermission | null) => void;

export interface AppGroupRules {
  /** Ascending by lower-case name. */
  readonly groups: readonly SnapshotGroup[];
  /** Reports everything that any rule grants an app version; a group granted by several rules is reported repeatedly. */
  readonly apply: (app: Pick<SnapshotApp, "isAdministratorApp">, version: SnapshotAppVersion, onGrant: OnGrant) => void;
}

export type RuleSources = GroupSources & Pick<PolicySnapshot, "permissions">;

/** The only implementation of rules A13 to A21: one look-up per requested permission, with any number of groups. */
export function prepareGroupRules(snapshot: RuleSources, environment: Environment): AppGroupRules {
  const groups = listedGroups(snapshot, environment);
  const where = (condition: (group: SnapshotGroup) => boolean): Positions =>
    groups.flatMap((group, position) => (condition(group) ? [position] : []));

  const isDefault = where((group) => group.isDefault);
  const provider = where((group) => group.isAppProviderGroup);
  const administrator = where((group) => group.isAdministratorGroup);
  const widget = where((group) => group.isWidgetGroup);
  const backgroundAlert = where((group) => isPlain(group) && allowsBackgroundAlert(group));
  const proprietary = new Map(groups.flatMap((group, at) => (group.isProprietaryGroup ? [[group.name, [at]]] : [])));
  const { byRpc, byParameter } = indexPermissions(groups);
  const moduleParents = new Map(
    snapshot.permissions.filter(({ type }) => type === "MODULE").map(({ name, parents }) => [name, parents]),
  );

  return {
    groups,
    apply(app, version, onGrant) {
      const grant = (
        rule: GroupRule,
        positions: Positions | undefined,
        permission: RequestedPermission | null = null,
      ) => {
        if (positions !== undefined) onGrant(rule, positions, permission);
      };
      grant("A13", isDefault);
      for (const permission of version.permissions) {
        const { key, hmiLevel } = permission;
        if (hmiLevel === null) continue;
        grant("A14", byRpc[hmiLevel].get(key), permission);
        grant("A15", byParameter[hmiLevel].get(key), permission);
        for (const rpc of moduleParents.get(key) ?? []) grant("A16", byRpc[hmiLevel].get(rpc), permission);
      }
      if (version.services.length > 0) grant("A17", provider);
      if (app.isAdministratorApp) grant("A18", administrator);
      for (const name of version.groupGrants) grant("A19", proprietary.get(name));
      if (version.canBackgroundAlert) grant("A20", backgroundAlert);
      if (version.canManageWidgets) grant("A21", widget);
    },
  };
}

export function appGroupFinder(snapshot: RuleSources, environment: Environment): FindAppGroups {
  return groupFinderOf(prepareGroupRules(snapshot, environment));
}

/** Rule A22 over prepared rules. */
export function groupFinderOf({ groups, apply }: AppGroupRules): FindAppGroups {
  const names = groups.map(({ name }) => name);
  return (app, version) => {
    // Far faster than a set, and in order.
    const isFound = new Uint8Array(names.length);
    apply(app, version, (_, positions) => {
      for (const position of positions) isFound[position] = 1;
    });
    return names.filter((_, position) => isFound[position] === 1);
  };
}

/** Whether a group is granted only manually, to single versions (`policy-table.md` 7.3). */
export function isGrantedByHand({ isProprietaryGroup }: Pick<SnapshotGroup, "isProprietaryGroup">): boolean {
  return isProprietaryGroup;
}

function isPlain(group: SnapshotGroup): boolean {
  return !(group.isProprietaryGroup || group.isWidgetGroup || group.isAppProviderGroup || group.isAdministratorGroup);
}

function allowsBackgroundAlert({ rpcs }: SnapshotGroup): boolean {
  return rpcs.some(({ name, levels }) => name === "Alert" && levels.includes("BACKGROUND"));
}

/** Plain groups by level and RPC, and by level and parameter of an RPC with it, as stored (rules A14, A15, A27). */
function indexPermissions(groups: readonly SnapshotGroup[]) {
  const byRpc = recordOf(hmiTextLevels, () => new Map<string, number[]>());
  const byParameter = recordOf(hmiTextLevels, () => new Map<string, number[]>());
  const add = (index: Map<string, number[]>, key: string, position: number) => {
    const positions = index.get(key);
    if (!positions) index.set(key, [position]);
    else if (positions.at(-1) !== position) positions.push(position);
  };
  groups.forEach((group, position) => {
    if (!isPlain(group)) return;
    for (const rpc of group.rpcs) {
      for (const level of rpc.levels) {
        add(byRpc[`HMI_${level}`], rpc.name, position);
        for (const parameter of rpc.parameters) add(byParameter[`HMI_${level}`], parameter, position);
      }
    }
  });
  return { byRpc, byParameter };
}

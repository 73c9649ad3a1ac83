import { listedGroups, type GroupSources } from "@/lib/policy/table/functional-groupings";
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion, SnapshotGroup } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/words/vocabulary";

/** Finds the functional groups of an app version: their names, ascending by lower-cased name (rules A13 to A28). */
export type FindAppGroups = (app: Pick<SnapshotApp, "isAdministratorApp">, version: SnapshotAppVersion) => string[];

/** Positions in the sorted list of groups, so that a sorted result needs no sorting by name. */
type Positions = readonly number[];
const none: Positions = [];

/**
 * Prepares rules A13 to A22 for one view: every rule becomes one look-up per requested permission, whatever the number
 * of groups and RPCs.
 */
export function appGroupFinder(
  snapshot: GroupSources & Pick<PolicySnapshot, "permissions">,
  environment: Environment,
): FindAppGroups {
  const groups = listedGroups(snapshot, environment);
  const where = (condition: (group: SnapshotGroup) => boolean): Positions =>
    groups.flatMap((group, position) => (condition(group) ? [position] : []));

  const isDefault = where((group) => group.isDefault);
  const provider = where((group) => group.isAppProviderGroup);
  const administrator = where((group) => group.isAdministratorGroup);
  const widget = where((group) => group.isWidgetGroup);
  const backgroundAlert = where((group) => isPlain(group) && allowsBackgroundAlert(group));
  const proprietary = new Map(groups.flatMap((group, at) => (group.isProprietaryGroup ? [[group.name, at]] : [])));
  const { byRpc, byParameter } = indexPermissions(groups);
  const moduleParents = new Map(
    snapshot.permissions.filter(({ type }) => type === "MODULE").map(({ name, parents }) => [name, parents]),
  );

  return (app, version) => {
    const found = new Set<number>(isDefault);
    const grant = (positions: Positions | undefined = none) => {
      for (const position of positions) found.add(position);
    };
    for (const { key, hmiLevel } of version.permissions) {
      if (hmiLevel === null) continue;
      const level = hmiLevel.slice("HMI_".length);
      grant(byRpc.get(pair(key, level)));
      grant(byParameter.get(pair(key, level)));
      for (const rpc of moduleParents.get(key) ?? []) grant(byRpc.get(pair(rpc, level)));
    }
    if (version.services.length > 0) grant(provider);
    if (app.isAdministratorApp) grant(administrator);
    for (const name of version.groupGrants) {
      const position = proprietary.get(name);
      if (position !== undefined) found.add(position);
    }
    if (version.canBackgroundAlert) grant(backgroundAlert);
    if (version.canManageWidgets) grant(widget);
    return [...found].sort((a, b) => a - b).flatMap((position) => groups[position]?.name ?? []);
  };
}

function isPlain(group: SnapshotGroup): boolean {
  return !(group.isProprietaryGroup || group.isWidgetGroup || group.isAppProviderGroup || group.isAdministratorGroup);
}

function allowsBackgroundAlert({ rpcs }: SnapshotGroup): boolean {
  return rpcs.some(({ name, levels }) => name === "Alert" && levels.includes("BACKGROUND"));
}

/** A key that no pair of names can share with another pair: levels hold no blank. */
function pair(name: string, level: string): string {
  return `${level} ${name}`;
}

/** Plain groups by (RPC, level) and by (parameter, level of its RPC), as stored (rules A14, A15, A27). */
function indexPermissions(groups: readonly SnapshotGroup[]) {
  const byRpc = new Map<string, number[]>();
  const byParameter = new Map<string, number[]>();
  const add = (index: Map<string, number[]>, key: string, position: number) => {
    const positions = index.get(key);
    if (!positions) index.set(key, [position]);
    else if (positions.at(-1) !== position) positions.push(position);
  };
  groups.forEach((group, position) => {
    if (!isPlain(group)) return;
    for (const rpc of group.rpcs) {
      for (const level of rpc.levels) {
        add(byRpc, pair(rpc.name, level), position);
        for (const parameter of rpc.parameters) add(byParameter, pair(parameter, level), position);
      }
    }
  });
  return { byRpc, byParameter };
}

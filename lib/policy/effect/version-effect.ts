import { oncePer } from "@/lib/platform/once-per";
import type { RejectedCallsJson } from "@/lib/policy/answer/answer-schema";
import { leftOf, listPermitChanges, listRejectedGains, type RpcChange } from "@/lib/policy/effect/permit-changes";
import { type AreaChange, type Asked, compareByArea, newlyAsked } from "@/lib/policy/effect/rights-by-area";
import { askBoth, carsOf, permitTable } from "@/lib/policy/permits/car";
import { appGroupFinder } from "@/lib/policy/table/app-groups";
import { carSettings, defaultEntryFor, type Restriction, restrictionOf } from "@/lib/policy/permits/conditions";
import {
  entryVersion,
  fixedGroups,
  readDefaultFacts,
  permissionsByName,
  readEntryFacts,
} from "@/lib/policy/table/app-policies";
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import type { Environment } from "@/lib/vocabulary/terms";

export interface VersionEffect {
  readonly areas: readonly AreaChange[];
  readonly rights: readonly RpcChange[];
  readonly rejected: readonly RejectedCallsJson[];
  readonly asked: readonly Asked[];
  readonly groupsGained: readonly string[];
  readonly groupsLost: readonly string[];
}

export interface ServedState {
  readonly isBlocked: boolean;
  readonly isAdministratorApp: boolean;
  readonly priority: SnapshotApp["priority"];
  readonly version: SnapshotAppVersion | null;
}

/** How an environment serves an app; null: the app is unknown there. */
export function servedState(app: SnapshotApp | null, environment: Environment): ServedState {
  return {
    isBlocked: app?.isBlacklisted ?? false,
    isAdministratorApp: app?.isAdministratorApp ?? false,
    priority: app?.priority ?? null,
    version: (environment === "production" ? app?.accepted : app?.staged) ?? null,
  };
}

/** What cars reject (`head-unit-rules.md` C16 to C22). An app without a version has the types of its other state. */
export function restrictionFinder(
  snapshot: PolicySnapshot,
  environment: Environment,
): (state: ServedState, other: ServedState) => Restriction {
  const permissions = permissionsByName(snapshot.permissions);
  const everyEntry = readDefaultFacts(snapshot, environment);
  const settings = carSettings(snapshot, environment);
  const ownEntry = (state: ServedState) =>
    state.version === null ? null : readEntryFacts(state, state.version, permissions);
  return (state, other) => {
    const entry = state.isBlocked ? null : (ownEntry(state) ?? defaultEntryFor(everyEntry, ownEntry(other)));
    return restrictionOf(entry, settings);
  };
}

const sidesOf = oncePer((snapshot: PolicySnapshot) => {
  const made = new Map<Environment, ReturnType<typeof makeSide>>();
  return (environment: Environment) => {
    const side = made.get(environment) ?? makeSide(snapshot, environment);
    made.set(environment, side);
    return side;
  };
});

function makeSide(snapshot: PolicySnapshot, environment: Environment) {
  const table = permitTable(snapshot, environment);
  const [cars, findGroups] = [carsOf(table), appGroupFinder(snapshot, environment)];
  const everyGroups = fixedGroups(snapshot, environment, "default");
  const findRestriction = restrictionFinder(snapshot, environment);
  const known = new Map<string, VersionEffect>();
  /** An app without an entry of its own has the default groups, without prompts. */
  const groupsOf = ({ isBlocked, isAdministratorApp, version }: ServedState): readonly string[] => {
    if (isBlocked) return [];
    return version === null ? everyGroups : findGroups({ isAdministratorApp }, entryVersion(version));
  };
  const sideOf = (state: ServedState, other: ServedState): Side => ({
    ...{ state, groups: groupsOf(state), restriction: findRestriction(state, other) },
  });
  return (before: ServedState, after: ServedState, builds: readonly CarBuild[]): VersionEffect => {
    const [old, now] = [sideOf(before, after), sideOf(after, before)];
    const keyOf = ({ state, groups, restriction }: Side) => [groups, state.version === null, restriction.key];
    const key = JSON.stringify([keyOf(old), keyOf(now), builds]);
    const found = known.get(key) ?? compare(old, now, builds);
    if (known.size === maxKept) known.clear();
    known.set(key, found);
    return found;
  };

  interface Side {
    readonly state: ServedState;
    readonly groups: readonly string[];
    readonly restriction: Restriction;
  }
  function compare(before: Side, after: Side, builds: readonly CarBuild[]): VersionEffect {
    const [had, has] = [before.groups, after.groups];
    const was = { ...before, permits: askBoth(cars, had) };
    const is = { ...after, permits: askBoth(cars, has) };
    const [permitsBefore, permitsAfter] = [leftOf(was), leftOf(is)];
    const asking = ({ state: { version }, groups }: Side) =>
      version === null ? [] : table.groups.filter(({ name }) => groups.includes(name));
    const rights = listPermitChanges(permitsBefore, permitsAfter, builds);
    return {
      areas: compareByArea(permitsBefore, permitsAfter, builds, rights),
      rights,
      rejected: listRejectedGains(was, is, builds),
      asked: newlyAsked(asking(before), asking(after), builds),
      groupsGained: has.filter((name) => !had.includes(name)),
      groupsLost: had.filter((name) => !has.includes(name)),
    };
  }
}

/** Maximum cached effects, by pair of sets of groups and conditions. Apps with equal requests share one. */
const maxKept = 2000;

/** Computed once for equal pairs of groups and conditions. More in any of the `builds` counts as more. */
export function versionEffect(
  snapshot: PolicySnapshot,
  environment: Environment,
  before: ServedState,
  after: ServedState,
  builds: readonly CarBuild[],
): VersionEffect {
  return sidesOf(snapshot)(environment)(before, after, builds);
}

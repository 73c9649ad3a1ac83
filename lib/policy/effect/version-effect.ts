import { oncePer } from "@/lib/platform/once-per";
import { listPermitChanges, type RpcChange } from "@/lib/policy/effect/permit-changes";
import { type AreaChange, type Asked, compareByArea, newlyAsked } from "@/lib/policy/effect/rights-by-area";
import { askBoth, carsOf, permitTable } from "@/lib/policy/permits/car";
import { appGroupFinder } from "@/lib/policy/table/app-groups";
import { entryVersion, fixedGroups } from "@/lib/policy/table/app-policies";
import type { PolicySnapshot, SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { CarBuild } from "@/lib/labels/head-units";
import type { Environment } from "@/lib/labels/vocabulary";

/** The effect in vehicles of serving another version of an app. */
export interface VersionEffect {
  readonly areas: readonly AreaChange[];
  readonly rights: readonly RpcChange[];
  /** Groups for which vehicles newly ask the driver. */
  readonly asked: readonly Asked[];
  readonly groupsGained: readonly string[];
  readonly groupsLost: readonly string[];
}

/** What decides an app's permissions: it is blocked, has no version of its own, or has one. */
export interface ServedState {
  readonly isBlocked: boolean;
  readonly isAdministratorApp: boolean;
  readonly version: SnapshotAppVersion | null;
}

/** How an environment serves an app; null: the app is unknown there. */
export function servedState(app: SnapshotApp | null, environment: Environment): ServedState {
  return {
    isBlocked: app?.isBlacklisted ?? false,
    isAdministratorApp: app?.isAdministratorApp ?? false,
    version: (environment === "production" ? app?.accepted : app?.staged) ?? null,
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

/** Prepares the comparison, once per environment of a snapshot. */
function makeSide(snapshot: PolicySnapshot, environment: Environment) {
  const table = permitTable(snapshot, environment);
  const [cars, findGroups] = [carsOf(table), appGroupFinder(snapshot, environment)];
  const everyGroups = fixedGroups(snapshot, environment, "default");
  const known = new Map<string, VersionEffect>();
  /** An app without an entry of its own has the default groups, without prompts (C5). */
  const groupsOf = ({ isBlocked, isAdministratorApp, version }: ServedState): readonly string[] => {
    if (isBlocked) return [];
    return version === null ? everyGroups : findGroups({ isAdministratorApp }, entryVersion(version));
  };
  return (before: ServedState, after: ServedState, builds: readonly CarBuild[]): VersionEffect => {
    const [had, has] = [groupsOf(before), groupsOf(after)];
    const key = JSON.stringify([had, has, builds, before.version === null, after.version === null]);
    const found = known.get(key) ?? compare([before, had], [after, has], builds);
    if (known.size === maxKept) known.clear();
    known.set(key, found);
    return found;
  };

  type Side = readonly [state: ServedState, groups: readonly string[]];
  function compare([before, had]: Side, [after, has]: Side, builds: readonly CarBuild[]): VersionEffect {
    const [permitsBefore, permitsAfter] = [askBoth(cars, had), askBoth(cars, has)];
    const asking = ({ version }: ServedState, names: readonly string[]) =>
      version === null ? [] : table.groups.filter(({ name }) => names.includes(name));
    const rights = listPermitChanges(permitsBefore, permitsAfter, builds);
    return {
      areas: compareByArea(permitsBefore, permitsAfter, builds, rights),
      rights,
      asked: newlyAsked(asking(before, had), asking(after, has), builds),
      groupsGained: has.filter((name) => !had.includes(name)),
      groupsLost: had.filter((name) => !has.includes(name)),
    };
  }
}

/** Maximum cached effects, by pair of sets of groups. Apps with equal requests share one. */
const maxKept = 2000;

/**
 * What changes in vehicles if an environment serves an app differently, according to `permits()` for its groups. Computed
 * once for equal pairs of groups.
 *
 * @param builds more in any of them counts as more
 */
export function versionEffect(
  snapshot: PolicySnapshot,
  environment: Environment,
  before: ServedState,
  after: ServedState,
  builds: readonly CarBuild[],
): VersionEffect {
  return sidesOf(snapshot)(environment)(before, after, builds);
}

"one per process";

import { oncePer } from "@/lib/platform/once-per";
import type { RejectedCallsJson } from "@/lib/policy/answer/answer-schema";
import { leftOf, listPermitChanges, listRejectedGains, type RpcChange } from "@/lib/policy/effect/permit-changes";
import { type AreaChange, type NewPrompt, compareByArea, findNewPrompts } from "@/lib/policy/effect/rights-by-area";
import { type ServedState, sideOf } from "@/lib/policy/effect/side";
import { permitsOfBuilds } from "@/lib/policy/permits/car";
import type { Restriction } from "@/lib/policy/permits/conditions";
import { entryVersion } from "@/lib/policy/table/app-policies";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import type { Environment } from "@/lib/vocabulary/terms";

export interface VersionEffect {
  readonly areas: readonly AreaChange[];
  readonly rights: readonly RpcChange[];
  readonly rejected: readonly RejectedCallsJson[];
  readonly asked: readonly NewPrompt[];
  readonly groupsGained: readonly string[];
  readonly groupsLost: readonly string[];
}

type CompareStates = (before: ServedState, after: ServedState, builds: readonly CarBuild[]) => VersionEffect;
const comparisons = oncePer((_snapshot: PolicySnapshot) => new Map<Environment, CompareStates>());

function stateComparison(snapshot: PolicySnapshot, environment: Environment): CompareStates {
  const { table, cars, everyGroups, findGroups, findRestriction } = sideOf(snapshot, environment);
  const known = new Map<string, VersionEffect>();
  /** An app without an entry of its own has the default groups, without prompts. */
  const groupsOf = ({ isBlocked, isAdministratorApp, version }: ServedState): readonly string[] => {
    if (isBlocked) return [];
    return version === null ? everyGroups : findGroups({ isAdministratorApp }, entryVersion(version));
  };
  const reachOf = (state: ServedState, other: ServedState): Reach => ({
    ...{ state, groups: groupsOf(state), restriction: findRestriction(state, other) },
  });
  return (before, after, builds) => {
    const [old, now] = [reachOf(before, after), reachOf(after, before)];
    const keyOf = ({ state, groups, restriction }: Reach) => [groups, state.version === null, restriction.key];
    const key = JSON.stringify([keyOf(old), keyOf(now), builds]);
    const found = known.get(key) ?? compare(old, now, builds);
    if (known.size === maxKept) known.clear();
    known.set(key, found);
    return found;
  };

  interface Reach {
    readonly state: ServedState;
    readonly groups: readonly string[];
    readonly restriction: Restriction;
  }
  function compare(before: Reach, after: Reach, builds: readonly CarBuild[]): VersionEffect {
    const [had, has] = [before.groups, after.groups];
    const was = { ...before, permits: permitsOfBuilds(cars(), had) };
    const is = { ...after, permits: permitsOfBuilds(cars(), has) };
    const [permitsBefore, permitsAfter] = [leftOf(was), leftOf(is)];
    const asking = ({ state: { version }, groups }: Reach) =>
      version === null ? [] : table().groups.filter(({ name }) => groups.includes(name));
    const rights = listPermitChanges(permitsBefore, permitsAfter, builds);
    return {
      areas: compareByArea(permitsBefore, permitsAfter, builds, rights),
      rights,
      rejected: listRejectedGains(was, is, builds),
      asked: findNewPrompts(asking(before), asking(after), builds),
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
  const made = comparisons(snapshot);
  const compare = made.get(environment) ?? stateComparison(snapshot, environment);
  made.set(environment, compare);
  return compare(before, after, builds);
}

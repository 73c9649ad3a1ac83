import type { RejectedCallsJson } from "@/lib/policy/answer/answer-schema";
import { appGroupFinder, type FindAppGroups } from "@/lib/policy/table/app-groups";
import { grantedVersion, permissionsByName, readEntryFacts } from "@/lib/policy/table/app-policies";
import { permitsOfBuilds, carsOf, permitGroups, type PermitTable } from "@/lib/policy/permits/car";
import {
  type CarSettings,
  isConditional,
  type Restriction,
  restrictionOf,
  unrestricted,
} from "@/lib/policy/permits/conditions";
import { type AllowedRpc, listAllowedRpcs, type ParameterRules } from "@/lib/policy/table/functional-groupings";
import { comparePermits, leftOf, listRejectedGains } from "@/lib/policy/effect/permit-changes";
import type { SnapshotApp, SnapshotAppVersion, SnapshotGroup, SnapshotPermission } from "@/lib/policy/table/snapshot";
import type { CarBuild } from "@/lib/vocabulary/head-units";
import type { Environment } from "@/lib/vocabulary/terms";

export interface GroupChange {
  readonly environment: Environment;
  /** The current groups of the view; deleted ones are ignored. */
  readonly before: readonly SnapshotGroup[];
  readonly after: readonly SnapshotGroup[];
  readonly permissions: readonly SnapshotPermission[];
  readonly rules: ParameterRules;
  readonly items: ReadonlySet<string>;
  readonly settings: CarSettings;
  readonly builds: readonly CarBuild[];
}

export type TransitionKind = "gained" | "lost" | "changed";
export interface Transition {
  readonly group: string;
  readonly kind: TransitionKind;
  readonly promptBefore: string | null;
  readonly promptAfter: string | null;
}

interface RightChanges extends ReturnType<typeof comparePermits> {
  /** What changes by the groups alone, because cars reject it. */
  readonly rejected: Readonly<Record<"gained" | "lost", readonly RejectedCallsJson[]>>;
}

export interface AppEffect {
  readonly transitions: readonly Transition[];
  /** What the app gains and loses in vehicles. Computed on demand, which takes much longer than all else. */
  readonly rights: () => RightChanges;
  readonly isHolder: boolean;
  /** The groups that it has afterwards, as far as they are relevant to the change. */
  readonly groups: readonly string[];
}

/** Returns the effect on an app; null: none, or the app has no version with permissions there. */
export type CompareApp = (app: SnapshotApp) => AppEffect | null;

export interface ChangedGroup {
  readonly name: string;
  readonly before: GroupState | null;
  readonly after: GroupState | null;
}
export interface GroupState {
  readonly group: SnapshotGroup;
  readonly rpcs: readonly AllowedRpc[];
  readonly key: string;
}

export interface GroupComparison {
  readonly changed: readonly ChangedGroup[];
  readonly compareApp: CompareApp;
  readonly table: PermitTable;
}

/** Does the work shared by all apps here, and equal apps once. `always`: groups that always count as changed. */
export function compareGroups(change: GroupChange, always: readonly string[] = []): GroupComparison {
  const changed = findChanged(change, always);
  const names = new Set(changed.map(({ name }) => name));
  const finder = (groups: readonly SnapshotGroup[]): FindAppGroups => {
    // Assumes that the change succeeds. No group can be saved or promoted without its prompt.
    const messages = groups.flatMap(({ userConsentPrompt: category }) =>
      category === null ? [] : [{ category, isDeleted: false }],
    );
    const both = <T>(records: readonly T[]) => ({ staging: records, production: records });
    const sources = { groups: both(groups), messages: both(messages), permissions: change.permissions };
    return appGroupFinder(sources, change.environment);
  };
  const findBefore = finder(changed.flatMap(({ before }) => before?.group ?? []));
  const findAfter = finder(changed.flatMap(({ after }) => after?.group ?? []));
  // Vehicles judge each RPC separately. Unchanged groups matter only for RPCs that are also in changed groups.
  const touched = new Set(changed.flatMap(({ before, after }) => [before, after].flatMap(namesOf)));
  const kept = change.after
    .filter(({ name, isDeleted }) => !isDeleted && !names.has(name))
    .map((group) => ({ group, rpcs: permitGroups(change.rules)(group).rpcs.filter(({ name }) => touched.has(name)) }))
    .filter(({ rpcs }) => rpcs.length > 0);
  const findKept = finder(kept.map(({ group }) => group));
  const tableOf = (side: (group: ChangedGroup) => GroupState | null): PermitTable => {
    const states = [...kept, ...changed.flatMap((group) => side(group) ?? [])];
    const groups = states.map(({ group, rpcs }) => ({ name: group.name, prompt: group.userConsentPrompt, rpcs }));
    return { groups, items: change.items };
  };
  const earlier = carsOf(tableOf(({ before }) => before));
  const table = tableOf(({ after }) => after);
  const later = carsOf(table);
  const byName = new Map(changed.map((group) => [group.name, group]));
  const known = new Map<string, RightChanges>();
  const permissions = permissionsByName(change.permissions);
  const isConditioned = [...touched].some(isConditional);
  const restrictionFor = (app: SnapshotApp, version: SnapshotAppVersion): Restriction =>
    isConditioned ? restrictionOf(readEntryFacts(app, version, permissions), change.settings) : unrestricted;

  function compare(app: SnapshotApp, version: SnapshotAppVersion): AppEffect {
    const had = findBefore(app, version);
    const has = findAfter(app, version);
    const others = had.length + has.length === 0 ? [] : findKept(app, version);
    const restriction = restrictionFor(app, version);
    return {
      transitions: listTransitions(byName, had, has),
      rights: () => {
        const key = JSON.stringify([had, has, others, restriction.key]);
        const rights = known.get(key) ?? compareRights([...had, ...others], [...has, ...others], restriction);
        known.set(key, rights);
        return rights;
      },
      isHolder: has.length > 0,
      groups: [...has, ...others],
    };
  }

  function compareRights(had: readonly string[], has: readonly string[], restriction: Restriction): RightChanges {
    const was = { permits: permitsOfBuilds(earlier, had), restriction };
    const is = { permits: permitsOfBuilds(later, has), restriction };
    return {
      ...comparePermits(leftOf(was), leftOf(is), change.builds),
      rejected: {
        gained: listRejectedGains(was, is, change.builds),
        lost: listRejectedGains(is, was, change.builds),
      },
    };
  }

  const keyOf = (app: SnapshotApp, version: SnapshotAppVersion) => restrictionFor(app, version).key;
  return { changed, compareApp: onceForEqualApps(change.environment, compare, keyOf), table };
}

const namesOf = (state: GroupState | null): readonly string[] => state?.rpcs.map(({ name }) => name) ?? [];

/**
 * One result for apps with equal requests, flags and `keyOf`: equal requests share one list, which can be a key. Null
 * for an app without a version with permissions in the environment.
 */
export function onceForEqualApps<T>(
  environment: Environment,
  compare: (app: SnapshotApp, version: SnapshotAppVersion) => T,
  keyOf: (app: SnapshotApp, version: SnapshotAppVersion) => string = () => "",
): (app: SnapshotApp) => T | null {
  type Answers = Map<SnapshotAppVersion["permissions"], Map<string, { readonly answer: T }>>;
  const knownByKey = new Map<string, Answers>();
  return (app) => {
    const version = app.isBlacklisted ? null : grantedVersion(app, environment);
    if (version === null) return null;
    const marks = [version.services.length > 0, app.isAdministratorApp, version.canBackgroundAlert];
    const key = JSON.stringify([...marks, version.canManageWidgets, version.groupGrants]);
    const more = keyOf(app, version);
    const known: Answers = knownByKey.get(more) ?? new Map();
    knownByKey.set(more, known);
    const equals = known.get(version.permissions) ?? new Map<string, { readonly answer: T }>();
    const kept = equals.get(key) ?? { answer: compare(app, version) };
    equals.set(key, kept);
    known.set(version.permissions, equals);
    return kept.answer;
  };
}

function findChanged({ before, after, rules }: GroupChange, always: readonly string[]): ChangedGroup[] {
  const read = (groups: readonly SnapshotGroup[]) =>
    new Map(groups.filter(({ isDeleted }) => !isDeleted).map((group) => [group.name, group]));
  const [earlier, later] = [read(before), read(after)];
  const stateOf = (group: SnapshotGroup | undefined): GroupState | null => {
    if (group === undefined) return null;
    const rpcs = listAllowedRpcs(group, rules);
    return { group, rpcs, key: JSON.stringify(rpcs) };
  };
  return [...new Set([...earlier.keys(), ...later.keys()])]
    .filter((name) => earlier.get(name) !== later.get(name) || always.includes(name))
    .map((name) => ({ name, before: stateOf(earlier.get(name)), after: stateOf(later.get(name)) }));
}

function listTransitions(
  byName: ReadonlyMap<string, ChangedGroup>,
  had: readonly string[],
  has: readonly string[],
): Transition[] {
  return [...new Set([...had, ...has])].flatMap((name): Transition[] => {
    const before = had.includes(name) ? (byName.get(name)?.before ?? null) : null;
    const after = has.includes(name) ? (byName.get(name)?.after ?? null) : null;
    const kind = before === null ? "gained" : after === null ? "lost" : "changed";
    const promptBefore = before?.group.userConsentPrompt ?? null;
    const promptAfter = after?.group.userConsentPrompt ?? null;
    const isSame = promptBefore === promptAfter && before?.key === after?.key;
    return kind === "changed" && isSame ? [] : [{ group: name, kind, promptBefore, promptAfter }];
  });
}

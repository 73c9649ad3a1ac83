import { appGroupFinder, type FindAppGroups } from "@/lib/policy/table/app-groups";
import { grantedVersion } from "@/lib/policy/table/app-policies";
import type { IsUsableParameter } from "@/lib/policy/table/functional-groupings";
import { type GroupRights, listRights, type Right, RightTable } from "@/lib/policy/effect/group-rights";
import type { SnapshotApp, SnapshotAppVersion, SnapshotGroup, SnapshotPermission } from "@/lib/policy/table/snapshot";
import type { Environment } from "@/lib/words/vocabulary";

/** What a change of groups is judged by: both states of one view, and what the rules of grants look at. */
export interface GroupChange {
  readonly environment: Environment;
  /** The groups of the view as they are; deleted ones count for nothing. */
  readonly before: readonly SnapshotGroup[];
  /** The groups of the view as they would be. */
  readonly after: readonly SnapshotGroup[];
  readonly permissions: readonly SnapshotPermission[];
  readonly isUsable: IsUsableParameter;
}

/** How one app stands to one changed group: it gets it, loses it, or keeps it with another content. */
export type TransitionKind = "gained" | "lost" | "changed";
export interface Transition {
  readonly group: string;
  readonly kind: TransitionKind;
  /** The question asked before the group is used; null: none. */
  readonly promptBefore: string | null;
  readonly promptAfter: string | null;
}

/** What a change of groups does to one app. */
export interface AppEffect {
  readonly transitions: readonly Transition[];
  /** Rights that the app gets through no other group, and those that it has through none any more. */
  readonly gained: ReadonlySet<Right>;
  readonly lost: ReadonlySet<Right>;
  /** Whether the app has one of the changed groups afterwards. */
  readonly isHolder: boolean;
}

/** Tells what a change of groups does to an app; null: nothing, or the app has no version with rights there. */
export type CompareApp = (app: SnapshotApp) => AppEffect | null;

/** A group that differs between the two states. */
export interface ChangedGroup {
  readonly name: string;
  readonly before: GroupState | null;
  readonly after: GroupState | null;
}
interface GroupState {
  readonly group: SnapshotGroup;
  readonly rights: GroupRights;
}

/** What a change of groups comes to, prepared once for all apps. */
export interface GroupComparison {
  readonly changed: readonly ChangedGroup[];
  readonly compareApp: CompareApp;
}

/**
 * Prepares the comparison of two states of a view (rules A13 to A22 and F5). What is the same for all apps is done here;
 * apps that ask for the same, and have the same marks, are compared once.
 *
 * @param always names of groups that count as changed in any case, so that their holders are told
 */
export function compareGroups(change: GroupChange, always: readonly string[] = []): GroupComparison {
  const table = new RightTable();
  const changed = findChanged(change, table, always);
  const names = new Set(changed.map(({ name }) => name));
  const finder = (groups: readonly SnapshotGroup[]): FindAppGroups => {
    // The change is looked at as one that goes through, and without its prompt no group is saved or promoted.
    const messages = groups.flatMap(({ userConsentPrompt: category }) =>
      category === null ? [] : [{ category, isDeleted: false }],
    );
    const both = <T>(records: readonly T[]) => ({ staging: records, production: records });
    const sources = { groups: both(groups), messages: both(messages), permissions: change.permissions };
    return appGroupFinder(sources, change.environment);
  };
  const findBefore = finder(changed.flatMap(({ before }) => before?.group ?? []));
  const findAfter = finder(changed.flatMap(({ after }) => after?.group ?? []));
  // What no change touches is looked into only for apps to which something happens, and only where it could matter.
  const touched = new Set(changed.flatMap(({ before, after }) => [...rightsOf(before), ...rightsOf(after)]));
  const rightsOfKept = new Map(
    change.after
      .filter(({ name, isDeleted }) => !isDeleted && !names.has(name))
      .map((group) => [
        group,
        [...listRights(group, change.isUsable, table).all].filter((right) => touched.has(right)),
      ]),
  );
  const kept = [...rightsOfKept].filter(([, rights]) => rights.length > 0);
  const findKept = finder(kept.map(([group]) => group));
  const keptRights = new Map(kept.map(([{ name }, rights]) => [name, rights]));
  const byName = new Map(changed.map((group) => [group.name, group]));

  const unite = (found: readonly string[], side: (group: ChangedGroup) => GroupState | null) => {
    const rights = new Set<Right>();
    for (const name of found) {
      const group = byName.get(name);
      for (const right of rightsOf(group === undefined ? null : side(group))) rights.add(right);
    }
    return rights;
  };

  function compare(app: SnapshotApp, version: SnapshotAppVersion): AppEffect {
    const had = findBefore(app, version);
    const has = findAfter(app, version);
    const earlier = unite(had, ({ before }) => before);
    const later = unite(has, ({ after }) => after);
    const gained = new Set([...later].filter((right) => !earlier.has(right)));
    const lost = new Set([...earlier].filter((right) => !later.has(right)));
    if (gained.size + lost.size > 0) {
      for (const name of findKept(app, version)) {
        for (const right of keptRights.get(name) ?? []) {
          gained.delete(right);
          lost.delete(right);
        }
      }
    }
    return { transitions: listTransitions(byName, had, has), gained, lost, isHolder: has.length > 0 };
  }

  return { changed, compareApp: onceForEqualApps(change.environment, compare) };
}

const nothing: ReadonlySet<Right> = new Set();
const rightsOf = (state: GroupState | null): ReadonlySet<Right> => state?.rights.all ?? nothing;

/**
 * Answers once for all apps that ask for the same and have the same marks, and so have the same groups (rules A13 to A22).
 * Lists of permissions are shared by apps that ask for the same, so that they can be keys.
 *
 * @returns null for an app that has no version with rights in the environment
 */
export function onceForEqualApps<T>(
  environment: Environment,
  compare: (app: SnapshotApp, version: SnapshotAppVersion) => T,
): (app: SnapshotApp) => T | null {
  const known = new Map<SnapshotAppVersion["permissions"], Map<string, { readonly answer: T }>>();
  return (app) => {
    const version = app.isBlacklisted ? null : grantedVersion(app, environment);
    if (version === null) return null;
    const marks = [version.services.length > 0, app.isAdministratorApp, version.canBackgroundAlert];
    const key = JSON.stringify([...marks, version.canManageWidgets, version.groupGrants]);
    const equals = known.get(version.permissions) ?? new Map<string, { readonly answer: T }>();
    const kept = equals.get(key) ?? { answer: compare(app, version) };
    equals.set(key, kept);
    known.set(version.permissions, equals);
    return kept.answer;
  };
}

function findChanged(
  { before, after, isUsable }: GroupChange,
  table: RightTable,
  always: readonly string[],
): ChangedGroup[] {
  const read = (groups: readonly SnapshotGroup[]) =>
    new Map(groups.filter(({ isDeleted }) => !isDeleted).map((group) => [group.name, group]));
  const [earlier, later] = [read(before), read(after)];
  const stateOf = (group: SnapshotGroup | undefined): GroupState | null =>
    group === undefined ? null : { group, rights: listRights(group, isUsable, table) };
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
    const isSame = promptBefore === promptAfter && before?.rights.key === after?.rights.key;
    return kind === "changed" && isSame ? [] : [{ group: name, kind, promptBefore, promptAfter }];
  });
}

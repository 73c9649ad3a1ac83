/** What the directory's lists change in the stored ones. Nothing is ever deleted. */
import type {
  DirectoryCategory,
  DirectoryPermission,
  DirectoryService,
} from "@/lib/apps/directory/answers/list-schemas";
import { byCodeUnit } from "@/lib/labels/order";

/** Members of a stored document that a list decides. */
export interface PermissionFacts {
  readonly name: string;
  readonly type: DirectoryPermission["type"];
  readonly displayName: string | null;
  readonly functionId: number | null;
  readonly parents: readonly string[];
  readonly isActive: boolean;
}
export interface Stored<T> {
  readonly id: number;
  readonly facts: T;
}
/** What to write; documents in neither list stay as they are. */
export interface ListChanges<T> {
  readonly added: readonly T[];
  readonly changed: readonly Stored<T>[];
}

/**
 * Permissions by `directory.md` 3.4: those of the list are upserted, the others become inactive and lose their
 * relations. A relation counts when its parent is stored or in the list.
 */
export function planPermissions(
  stored: readonly Stored<PermissionFacts>[],
  listed: readonly DirectoryPermission[],
): ListChanges<PermissionFacts> {
  const known = new Set([...stored.map(({ facts }) => facts.name), ...listed.map(({ key }) => key)]);
  const wanted = listed.map(({ key, parents, ...facts }): PermissionFacts => ({
    ...facts,
    name: key,
    parents: parents.filter((parent) => known.has(parent)).toSorted(byCodeUnit),
    isActive: true,
  }));
  const reported = new Set(listed.map(({ key }) => key));
  const gone = stored.flatMap(({ facts }) =>
    reported.has(facts.name) ? [] : [{ ...facts, parents: [], isActive: false }],
  );
  return plan(stored, [...wanted, ...gone], {
    identify: ({ name }) => name,
    isEqual: (a, b) =>
      a.type === b.type &&
      a.displayName === b.displayName &&
      a.functionId === b.functionId &&
      a.isActive === b.isActive &&
      isSameSet(a.parents, b.parents),
  });
}

/** Service types by `directory.md` 3.5. */
export function planServiceTypes(
  stored: readonly Stored<DirectoryService>[],
  listed: readonly DirectoryService[],
): ListChanges<DirectoryService> {
  return plan(stored, listed, {
    identify: ({ name }) => name,
    isEqual: (a, b) => a.displayName === b.displayName && isSameSet(a.permissions, b.permissions),
  });
}

/** Categories by `directory.md` 3.3. */
export function planCategories(
  stored: readonly Stored<DirectoryCategory>[],
  listed: readonly DirectoryCategory[],
): ListChanges<DirectoryCategory> {
  return plan(stored, listed, {
    identify: ({ id }) => id,
    isEqual: (a, b) => a.name === b.name && a.displayName === b.displayName,
  });
}

interface Comparison<T, K> {
  readonly identify: (facts: T) => K;
  readonly isEqual: (a: T, b: T) => boolean;
}

/** Of elements with the same identity the first counts. */
function plan<T, K>(
  stored: readonly Stored<T>[],
  wanted: readonly T[],
  { identify, isEqual }: Comparison<T, K>,
): ListChanges<T> {
  const known = new Map(stored.map((document) => [identify(document.facts), document]));
  const added: T[] = [];
  const changed: Stored<T>[] = [];
  const seen = new Set<K>();
  for (const facts of wanted) {
    const key = identify(facts);
    if (seen.has(key)) continue;
    seen.add(key);
    const before = known.get(key);
    if (before === undefined) added.push(facts);
    else if (!isEqual(before.facts, facts)) changed.push({ id: before.id, facts });
  }
  return { added, changed };
}

function isSameSet(a: readonly string[], b: readonly string[]): boolean {
  const members = new Set(a);
  return a.length === b.length && b.every((member) => members.has(member));
}

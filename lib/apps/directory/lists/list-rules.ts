/** What the directory's lists change in the stored ones. Nothing is ever deleted. */
import type { DirectoryPermission } from "@/lib/apps/directory/answers/list-schemas";
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
  return planList(stored, [...wanted, ...gone], ({ name }) => name);
}

/**
 * What is new in a list, and what differs from what is stored. Of elements with the same identity the first counts; the order of
 * lists inside of them says nothing.
 */
export function planList<T extends object>(
  stored: readonly Stored<T>[],
  wanted: readonly T[],
  identify: (facts: T) => string | number,
): ListChanges<T> {
  const known = new Map(stored.map((document) => [identify(document.facts), document]));
  const added: T[] = [];
  const changed: Stored<T>[] = [];
  const seen = new Set<string | number>();
  for (const facts of wanted) {
    const key = identify(facts);
    if (seen.has(key)) continue;
    seen.add(key);
    const before = known.get(key);
    if (before === undefined) added.push(facts);
    else if (textOf(before.facts) !== textOf(facts)) changed.push({ id: before.id, facts });
  }
  return { added, changed };
}

function textOf(facts: object): string {
  const members: [string, unknown][] = Object.entries(facts).toSorted(([a], [b]) => byCodeUnit(a, b));
  return JSON.stringify(members.map(([name, value]) => [name, Array.isArray(value) ? value.toSorted() : value]));
}

import { isDeepStrictEqual } from "node:util";
import type { FieldChangeJson } from "@/lib/releases/answer-schema";
import { byCodeUnit, distinct } from "@/lib/vocabulary/order";

export type Leaf = string | number | boolean | null | readonly (string | number | boolean | null)[];

/** One member that differs, by its path. Null means that it does not exist. */
export interface MemberChange {
  readonly path: readonly string[];
  readonly before: Leaf;
  readonly after: Leaf;
}

/** Lists whose elements have one of these are compared by name. The first that all elements have is used. */
const nameMembers = ["language_id", "name", "key", "value"] as const;

/** Compares member by member (`releases.md` L5, L13). Bodies are from `toComparable`; a deleted one counts as null. */
export function listMemberChanges(before: object | null, after: object | null): MemberChange[] {
  const [old, now] = [flatten(before), flatten(after)];
  return distinct([...old.keys(), ...now.keys()]).flatMap((key) => {
    const [before, after] = [old.get(key)?.leaf ?? null, now.get(key)?.leaf ?? null];
    return isDeepStrictEqual(before, after)
      ? []
      : { path: now.get(key)?.path ?? old.get(key)?.path ?? [], before, after };
  });
}

export function listFieldChanges(before: object | null, after: object | null): FieldChangeJson[] {
  return listMemberChanges(before, after)
    .map(({ path, ...change }) => ({ path: path.join("."), ...change }))
    .toSorted((a, b) => byCodeUnit(a.path, b.path));
}

/** Whether a body exists and is not deleted. */
export function isThere(body: object | null): boolean {
  return body !== null && !("is_deleted" in body && body.is_deleted === true);
}

/** Keyed by an encoded path, because names may contain dots. */
function flatten(body: object | null): ReadonlyMap<string, FoundLeaf> {
  const found = isThere(body) ? listLeaves(body, []).filter(({ path }) => path[0] !== "is_deleted") : [];
  return new Map(found.map((one) => [JSON.stringify(one.path), one]));
}

interface FoundLeaf {
  readonly path: readonly string[];
  readonly leaf: Leaf;
}

function listLeaves(value: unknown, path: readonly string[]): FoundLeaf[] {
  // An empty list means the same as none: bodies may omit a member or leave it empty.
  if (Array.isArray(value) && value.length === 0) return [];
  if (isLeaf(value)) return [{ path, leaf: value }];
  if (Array.isArray(value)) return listElements(value, path);
  return typeof value === "object" ? listMembers(value, path) : [];
}

function listMembers(value: object | null, path: readonly string[]): FoundLeaf[] {
  return Object.entries(value ?? {}).flatMap(([name, member]) => listLeaves(member, [...path, name]));
}

function listElements(elements: readonly unknown[], path: readonly string[]): FoundLeaf[] {
  const named = nameElements(elements);
  if (named === null) return elements.flatMap((element, index) => listLeaves(element, [...path, String(index + 1)]));
  if (named.every(({ rest }) => Object.keys(rest).length === 0)) {
    return [{ path, leaf: named.map(({ name }) => name).toSorted(byCodeUnit) }];
  }
  return named.flatMap(({ name, rest }) => {
    const own = listMembers(rest, [...path, name]);
    // An element with only null members still exists.
    return own.some(({ leaf }) => leaf !== null) ? own : [{ path: [...path, name], leaf: true }];
  });
}

/** Elements by name; null if they have no names, or two have the same. */
function nameElements(elements: readonly unknown[]): { readonly name: string; readonly rest: object }[] | null {
  const objects = elements.filter((element) => typeof element === "object" && element !== null);
  if (objects.length < elements.length) return null;
  const members = objects.map((element) => new Map(Object.entries(element)));
  const nameMember = nameMembers.find((name) => members.every((element) => typeof element.get(name) === "string"));
  if (nameMember === undefined) return null;
  const named = members.map((element) => {
    const rest = [...element].filter(
      ([name, value]) => name !== nameMember && !(name === "selected" && value === true),
    );
    return { name: String(element.get(nameMember)), rest: Object.fromEntries(rest) };
  });
  return new Set(named.map(({ name }) => name)).size < named.length ? null : named;
}

function isLeaf(value: unknown): value is Leaf {
  return isPlain(value) || (Array.isArray(value) && value.every(isPlain));
}

function isPlain(value: unknown): value is string | number | boolean | null {
  return value === null || ["string", "number", "boolean"].includes(typeof value);
}

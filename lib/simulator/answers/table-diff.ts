import type { ItemChange } from "@/lib/labels/release-items";

/** One place where two values differ: the names that lead to it, and what is there; undefined: nothing. */
export interface TableChange {
  readonly path: readonly string[];
  readonly change: ItemChange;
  readonly before: unknown;
  readonly after: unknown;
}

/** Lists whose order says something: they are compared as they are, and as a whole. */
const ordered: ReadonlySet<string> = new Set(["seconds_between_retries"]);
/** The members that lists of objects are known by. */
const names = ["name", "function_id"] as const;

/**
 * What differs between two parts of policy tables (`releases.md` L17), in their order. Objects are compared by their keys,
 * lists of named objects by the names, and other lists as sets and as a whole. What is only in one of the two is one change,
 * however much it holds.
 *
 * @param before as `JSON.parse` gives it; undefined: not there
 * @param after likewise
 */
export function diffTables(before: unknown, after: unknown, path: readonly string[] = []): TableChange[] {
  if (after === undefined) return before === undefined ? [] : [{ path, change: "delete", before, after }];
  if (before === undefined) return [{ path, change: "add", before, after }];
  const [old, now] = [membersOf(before), membersOf(after)];
  if (old !== null && now !== null) {
    const keys = new Set([...old.keys(), ...now.keys()]);
    return [...keys].flatMap((key) => diffTables(old.get(key), now.get(key), [...path, key]));
  }
  const isOrdered = ordered.has(path.at(-1) ?? "");
  return textOf(before, isOrdered) === textOf(after, isOrdered) ? [] : [{ path, change: "change", before, after }];
}

/** The parts of an object or of a list of named objects; null for all other values. */
function membersOf(value: unknown): ReadonlyMap<string, unknown> | null {
  if (typeof value !== "object" || value === null) return null;
  if (!Array.isArray(value)) return new Map(Object.entries(value));
  const named = value.map((element: unknown) => [nameOf(element), element] as const);
  const byName = new Map(named.flatMap(([name, element]) => (name === null ? [] : [[name, element] as const])));
  return byName.size === value.length ? byName : null;
}

function nameOf(element: unknown): string | null {
  if (typeof element !== "object" || element === null) return null;
  const members = new Map<string, unknown>(Object.entries(element));
  const name = names.map((one) => members.get(one)).find((one) => one !== undefined);
  return typeof name === "string" || typeof name === "number" ? String(name) : null;
}

/** Equal for values that say the same. */
function textOf(value: unknown, isOrdered: boolean): string {
  if (!Array.isArray(value) || isOrdered) return JSON.stringify(value);
  return JSON.stringify(value.map((element) => JSON.stringify(element)).toSorted());
}

import { badValue, DatabaseError } from "../errors";
import { getOwn, isDoc, isList, setOwn, type Doc } from "../values/values";

export type Path = readonly string[];

const maxPadding = 1_500_000;
const isIndex = (part: string) => /^(0|[1-9]\d*)$/.test(part);

function childOf(parent: unknown, part: string): unknown {
  if (isList(parent)) return isIndex(part) ? parent[Number(part)] : undefined;
  return isDoc(parent) ? getOwn(parent, part) : undefined;
}

export const readPath = (doc: Doc, path: Path): unknown =>
  path.reduce<unknown>((parent, part) => childOf(parent, part), doc);

const notViable = (part: string, path: Path) =>
  new DatabaseError(28, `Cannot create field '${part}' in element of '${path.join(".")}'`);

function assign(parent: Doc | unknown[], part: string, value: unknown, path: Path): void {
  if (!isList(parent)) {
    setOwn(parent, part, value);
    return;
  }
  if (!isIndex(part)) throw notViable(part, path);
  if (Number(part) - parent.length > maxPadding) throw badValue("can't backfill more than 1500000 elements");
  while (parent.length < Number(part)) parent.push(null);
  parent[Number(part)] = value;
}

/** Sets the value, making documents on the way where there is nothing yet. */
export function writePath(doc: Doc, path: Path, value: unknown): void {
  let parent: Doc | unknown[] = doc;
  for (const part of path.slice(0, -1)) {
    let next = childOf(parent, part);
    if (next === undefined) assign(parent, part, (next = {}), path);
    if (!isDoc(next) && !isList(next)) throw notViable(path[path.indexOf(part) + 1] ?? part, path);
    parent = next;
  }
  assign(parent, path.at(-1) ?? "", value, path);
}

/** Removes a field; an array element becomes null. */
export function removePath(doc: Doc, path: Path): void {
  const parent = readPath(doc, path.slice(0, -1));
  const part = path.at(-1) ?? "";
  if (isList(parent)) {
    if (isIndex(part) && Number(part) < parent.length) parent[Number(part)] = null;
  } else if (isDoc(parent)) Reflect.deleteProperty(parent, part);
}

/** Where `$[]` and `$[name]` in an update's path find their elements. */
export interface ArraySelection {
  readonly filters: ReadonlyMap<string, (element: unknown) => boolean>;
  readonly usedFilters: Set<string>;
}

/** The concrete paths of an update path with positional parts. */
export function expandPath(doc: Doc, path: Path, selection: ArraySelection): Path[] {
  let found: { path: string[]; value: unknown }[] = [{ path: [], value: doc }];
  for (const part of path) {
    found = found.flatMap((parent) =>
      selectParts(parent.value, part, path, selection).map((chosen) => ({
        path: [...parent.path, chosen],
        value: childOf(parent.value, chosen),
      })),
    );
  }
  return found.map((entry) => entry.path);
}

function selectParts(value: unknown, part: string, path: Path, selection: ArraySelection): string[] {
  if (part === "$") throw badValue("the positional operator $ is not supported; use arrayFilters");
  const name = /^\$\[(.*)\]$/.exec(part)?.[1];
  if (name === undefined) return [part];
  const filter = selection.filters.get(name);
  if (name !== "" && !filter) {
    throw badValue(`No array filter found for identifier '${name}' in path '${path.join(".")}'`);
  }
  selection.usedFilters.add(name);
  if (!isList(value)) {
    const before = path.slice(0, path.indexOf(part)).join(".");
    throw badValue(`The path '${before}' must exist in the document in order to apply array updates.`);
  }
  return [...value.keys()].filter((index) => filter?.(value[index]) ?? true).map(String);
}

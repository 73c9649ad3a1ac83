import { getOwn, isDoc, isList } from "../values/values";

const isIndex = (part: string) => /^\d+$/.test(part);

/** Visits a path's values as MongoDB does, in arrays, too; `undefined` if it ends early. `visit` stops it with true. */
export function walkPath(
  value: unknown,
  parts: readonly string[],
  visit: (value: unknown) => boolean,
  depth = 0,
): boolean {
  const part = parts[depth];
  if (part === undefined) return visit(value);
  if (isDoc(value)) return walkPath(getOwn(value, part), parts, visit, depth + 1);
  if (!isList(value)) return visit(undefined);
  const isPlace = isIndex(part) && Number(part) < value.length;
  if (isPlace && walkPath(value[Number(part)], parts, visit, depth + 1)) return true;
  return value.some((element) => isDoc(element) && walkPath(element, parts, visit, depth));
}

/** Like `walkPath`, but also visits the elements of an array at the end of the path, after the array itself. */
export const walkLeaves = (
  doc: unknown,
  parts: readonly string[],
  visit: (value: unknown, isElement: boolean) => boolean,
): boolean =>
  walkPath(doc, parts, (value) => {
    if (visit(value, false)) return true;
    return isList(value) && value.some((element) => visit(element, true));
  });

export function topField(path: string): string {
  const dot = path.indexOf(".");
  return dot < 0 ? path : path.slice(0, dot);
}

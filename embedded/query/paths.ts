import { getOwn, isDoc, isList } from "../values/values";

const isIndex = (part: string) => /^\d+$/.test(part);

/**
 * Visits every value a dotted path reaches, going into array elements as MongoDB does. `visit` gets `undefined` where
 * the path ends early, and the place within the first array crossed; it stops the walk by answering true.
 */
export function walkPath(
  value: unknown,
  parts: readonly string[],
  visit: (value: unknown, arrayIndex: number | undefined) => boolean,
  depth = 0,
  arrayIndex?: number,
): boolean {
  const part = parts[depth];
  if (part === undefined) return visit(value, arrayIndex);
  if (isList(value)) {
    if (isIndex(part) && Number(part) < value.length) {
      if (walkPath(value[Number(part)], parts, visit, depth + 1, arrayIndex)) return true;
    }
    for (const [index, element] of value.entries()) {
      if (isDoc(element) && walkPath(element, parts, visit, depth, arrayIndex ?? index)) return true;
    }
    return false;
  }
  if (!isDoc(value)) return visit(undefined, arrayIndex);
  return walkPath(getOwn(value, part), parts, visit, depth + 1, arrayIndex);
}

/** As walkPath, and visits the elements of an array at the end of the path after the array itself. */
export function walkLeaves(
  doc: unknown,
  parts: readonly string[],
  visit: (value: unknown, isElement: boolean, arrayIndex: number | undefined) => boolean,
): boolean {
  return walkPath(doc, parts, (value, arrayIndex) => {
    if (visit(value, false, arrayIndex)) return true;
    if (!isList(value)) return false;
    return value.some((element, index) => visit(element, true, arrayIndex ?? index));
  });
}

export const topField = (path: string): string => {
  const dot = path.indexOf(".");
  return dot < 0 ? path : path.slice(0, dot);
};

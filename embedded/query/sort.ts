import { badValue } from "../errors";
import { compareValues, encodeKey } from "../values/key-encoding";
import { emptyArray, isDoc, isList, toNumber, type Doc } from "../values/values";
import { topField, walkPath } from "./paths";

export interface SortField {
  readonly path: string;
  readonly parts: readonly string[];
  readonly direction: 1 | -1;
}

export function parseSort(spec: unknown): SortField[] {
  if (spec === undefined || spec === null) return [];
  if (!isDoc(spec)) throw badValue("Expected field sort to be of type object");
  return Object.entries(spec).map(([path, value]) => {
    const direction = toNumber(value);
    if (direction !== 1 && direction !== -1) {
      throw badValue(`$sort key ordering must be 1 (for ascending) or -1 (for descending): ${path}`);
    }
    if (path === "" || path.startsWith("$")) throw badValue(`FieldPath field names may not start with '$': ${path}`);
    return { path, parts: path.split("."), direction };
  });
}

export const sortRoots = (fields: readonly SortField[]): ReadonlySet<string> =>
  new Set(fields.map(({ path }) => topField(path)));

/** The values of a path for an index or sort: at least one, `undefined` if the field is missing. */
export function valuesAt(doc: Doc, parts: readonly string[]): unknown[] {
  const values: unknown[] = [];
  walkPath(doc, parts, (value) => {
    if (!isList(value)) values.push(value);
    else if (value.length === 0) values.push(emptyArray);
    else values.push(...value);
    return false;
  });
  return values.length > 0 ? values : [undefined];
}

/** The sort value of a document. Of an array, the smallest element, or the largest if descending. */
const sortValue = (doc: Doc, { parts, direction }: SortField): unknown =>
  valuesAt(doc, parts).reduce((best, value) => (compareValues(value, best) * direction < 0 ? value : best));

export function sortByFields<T>(items: readonly T[], fields: readonly SortField[], docOf: (item: T) => Doc): T[] {
  const directions = fields.map(({ direction }) => direction);
  const keyed = items.map((item) => {
    const doc = docOf(item);
    return {
      item,
      key: encodeKey(
        fields.map((field) => sortValue(doc, field)),
        directions,
      ),
    };
  });
  keyed.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0));
  return keyed.map(({ item }) => item);
}

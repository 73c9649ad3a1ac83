import { badValue, DatabaseError } from "../errors";
import { encodeDoc, omitBytes, pickBytes, pickFields } from "../values/bson-bytes";
import { isDoc, isList, isNumeric, isTruthy, setOwn, type Doc } from "../values/values";

/** Fields to keep or drop; null: the whole field. */
type FieldTree = Map<string, FieldTree | null>;

interface Projection {
  /** The top fields of its paths. */
  readonly roots: ReadonlySet<string>;
  readonly keeps: boolean;
  /** Null if only whole top fields are named: these need no decoding. */
  readonly select: ((doc: Doc) => Doc) | null;
}

function addToTree(tree: FieldTree, path: string): void {
  const parts = path.split(".");
  let at = tree;
  for (const [depth, part] of parts.entries()) {
    const isLast = depth === parts.length - 1;
    const existing = at.get(part);
    if (existing === null || (isLast && existing)) throw new DatabaseError(31250, `Path collision at ${path}`);
    const next: FieldTree = existing ?? new Map<string, FieldTree | null>();
    at.set(part, isLast ? null : next);
    at = next;
  }
}

function select(value: unknown, tree: FieldTree, keeps: boolean): unknown {
  if (isList(value)) {
    const items = keeps ? value.filter((item) => isDoc(item) || isList(item)) : value;
    return items.map((item) => select(item, tree, keeps));
  }
  if (!isDoc(value)) return keeps ? undefined : value;
  const chosen: Doc = {};
  for (const key of Object.keys(value)) {
    const branch = tree.get(key);
    const isWhole = (branch === null) === keeps;
    const field = branch ? select(value[key], branch, keeps) : isWhole ? value[key] : undefined;
    if (field !== undefined) setOwn(chosen, key, field);
  }
  return chosen;
}

/** Compiles the projection of `find`; null if it keeps everything. */
export function compileProjection(spec: unknown): Projection | null {
  if (spec === undefined || spec === null) return null;
  if (!isDoc(spec)) throw badValue("the projection must be a document");
  if (Object.keys(spec).length === 0) return null;
  const tree: FieldTree = new Map();
  let mode: boolean | null = null;
  for (const [path, value] of Object.entries(spec)) {
    const isFlag = typeof value === "boolean" || isNumeric(value);
    if (path === "_id" && isFlag) continue;
    if (path.startsWith("$") || path.endsWith(".$") || !isFlag) throw badValue(`unsupported projection of ${path}`);
    const keeps = isTruthy(value);
    if (mode !== null && mode !== keeps) {
      throw new DatabaseError(keeps ? 31253 : 31254, `Cannot include and exclude fields in one projection: ${path}`);
    }
    mode = keeps;
    addToTree(tree, path);
  }
  const wantsId = spec._id === undefined || isTruthy(spec._id);
  const keeps = mode ?? wantsId;
  if (wantsId === keeps) tree.set("_id", null);
  const chooseFrom = (doc: Doc): Doc => {
    const chosen = select(doc, tree, keeps);
    return isDoc(chosen) ? chosen : {};
  };
  const isOfWholeFields = [...tree.values()].every((branch) => branch === null);
  return { roots: new Set(tree.keys()), keeps, select: isOfWholeFields ? null : chooseFrom };
}

export function projectBytes(bytes: Buffer, projection: Projection | null): Buffer {
  if (projection === null) return bytes;
  const { roots, keeps, select: chooseFrom } = projection;
  if (chooseFrom === null) return keeps ? pickBytes(bytes, roots) : omitBytes(bytes, roots);
  return encodeDoc(chooseFrom(pickFields(bytes, keeps ? roots : null)));
}

import { badValue, location } from "../errors";
import { readPath, writePath } from "../update/document-path";
import { decodeDoc, encodeDoc } from "../values/bson-bytes";
import {
  cloneDoc,
  getOwn,
  isDoc,
  isList,
  isNumeric,
  setOwn,
  toInteger,
  toNumber,
  toPlain,
  toPlainDoc,
  type Doc,
} from "../values/values";
import { compileExpression, type Scope } from "./expressions";
import { compileFilter, isOperatorDoc, type MatchPosition } from "./matcher";

/** Which fields to keep or drop; true for a whole field. */
interface FieldTree {
  [field: string]: FieldTree | true;
}

export type Projection = (doc: Doc, position: MatchPosition | null) => Doc;

function addToTree(tree: FieldTree, path: string): void {
  const parts = path.split(".");
  let at = tree;
  for (const [depth, part] of parts.entries()) {
    const existing = Object.hasOwn(at, part) ? at[part] : undefined;
    const isLast = depth === parts.length - 1;
    if (existing === true || (isLast && existing !== undefined)) {
      throw location(31250, `Path collision at ${path}`);
    }
    if (isLast) {
      at[part] = true;
      return;
    }
    const next: FieldTree = existing ?? {};
    at[part] = next;
    at = next;
  }
}

function keep(value: unknown, tree: FieldTree): unknown {
  if (isList(value)) return value.filter((item) => isDoc(item) || isList(item)).map((item) => keep(item, tree));
  if (!isDoc(value)) return undefined;
  const kept: Doc = {};
  for (const key of Object.keys(value)) {
    const branch = Object.hasOwn(tree, key) ? tree[key] : undefined;
    if (branch === undefined) continue;
    const field = branch === true ? value[key] : keep(value[key], branch);
    if (field !== undefined) setOwn(kept, key, field);
  }
  return kept;
}

function drop(value: unknown, tree: FieldTree): unknown {
  if (isList(value)) return value.map((item) => drop(item, tree));
  if (!isDoc(value)) return value;
  const kept: Doc = {};
  for (const key of Object.keys(value)) {
    const branch = Object.hasOwn(tree, key) ? tree[key] : undefined;
    if (branch !== true) setOwn(kept, key, branch === undefined ? value[key] : drop(value[key], branch));
  }
  return kept;
}

function sliceArray(list: readonly unknown[], operand: unknown): unknown[] {
  if (!isList(operand)) {
    const count = toInteger(operand, "$slice");
    return count >= 0 ? list.slice(0, count) : list.slice(count);
  }
  const [from, count] = [toInteger(operand[0], "$slice"), toInteger(operand[1], "$slice", 1)];
  const start = from < 0 ? Math.max(0, list.length + from) : from;
  return list.slice(start, start + count);
}

/** Steps after the fields have been kept or dropped; `source` is the whole document. */
type Step = (result: Doc, source: Doc, position: MatchPosition | null) => void;

class ProjectionCompiler {
  readonly tree: FieldTree = {};
  readonly steps: Step[] = [];
  mode: "keep" | "drop" | null = null;
  includesId: boolean | null = null;

  constructor(private readonly scope: Scope) {}

  add(path: string, value: unknown): void {
    if (isDoc(value) && !isOperatorDoc(value) && Object.keys(value).length > 0) {
      for (const [key, inner] of Object.entries(value)) this.add(`${path}.${key}`, inner);
    } else if (typeof value === "boolean" || isNumeric(value)) {
      this.flag(path, typeof value === "boolean" ? value : toNumber(value) !== 0);
    } else if (isDoc(value) && "$elemMatch" in value) this.elementMatch(path, value.$elemMatch);
    else if (isDoc(value) && "$slice" in value && isFindSlice(value.$slice)) this.slice(path, value.$slice);
    else this.expression(path, value);
  }

  private setMode(mode: "keep" | "drop", path: string): void {
    if (this.mode !== null && this.mode !== mode) {
      throw mode === "keep"
        ? location(31253, `Cannot do inclusion on field ${path} in exclusion projection`)
        : location(31254, `Cannot do exclusion on field ${path} in inclusion projection`);
    }
    this.mode = mode;
  }

  private flag(path: string, isWanted: boolean): void {
    if (path === "_id") {
      this.includesId = isWanted;
      return;
    }
    this.setMode(isWanted ? "keep" : "drop", path);
    if (!path.endsWith(".$")) {
      addToTree(this.tree, path);
      return;
    }
    const arrayPath = path.slice(0, -2);
    addToTree(this.tree, arrayPath);
    this.steps.push((result, _source, position) => {
      const list = readPath(result, arrayPath.split("."));
      if (isList(list)) writePath(result, arrayPath.split("."), list.slice(position?.index ?? 0).slice(0, 1));
    });
  }

  private elementMatch(path: string, condition: unknown): void {
    this.mode ??= "keep";
    const { matches } = compileFilter({ list: { $elemMatch: condition } }, this.scope);
    this.steps.push((result, source) => {
      const list = getOwn(source, path);
      const first = isList(list) ? list.find((element) => matches({ list: [element] })) : undefined;
      if (first !== undefined) setOwn(result, path, [first]);
    });
  }

  private slice(path: string, operand: unknown): void {
    const parts = path.split(".");
    this.steps.push((result, source) => {
      const list = readPath(source, parts);
      if (isList(list)) writePath(result, parts, sliceArray(list, operand));
    });
  }

  private expression(path: string, value: unknown): void {
    this.setMode("keep", path);
    const evaluate = compileExpression(toPlain(value), this.scope);
    this.steps.push((result, source) => {
      const computed = evaluate(toPlainDoc(source));
      if (computed !== undefined) writePath(result, path.split("."), computed);
    });
  }
}

const isFindSlice = (operand: unknown): boolean =>
  isNumeric(operand) || (isList(operand) && operand.length === 2 && operand.every(isNumeric));

/** Compiles the projection of `find`, `findAndModify` and `$project`; null when it keeps everything. */
export function compileProjection(spec: unknown, scope: Scope): Projection | null {
  if (spec === undefined || spec === null) return null;
  if (!isDoc(spec)) throw badValue("the projection must be a document");
  if (Object.keys(spec).length === 0) return null;
  const compiler = new ProjectionCompiler(scope);
  for (const [path, value] of Object.entries(spec)) compiler.add(path, value);
  const mode = compiler.mode ?? (compiler.includesId === true ? "keep" : "drop");
  const { tree, steps } = compiler;
  if (mode === "keep" && compiler.includesId !== false) tree._id = true;
  if (mode === "drop" && compiler.includesId === false) tree._id = true;
  return (doc, position) => {
    const chosen = mode === "keep" ? keep(doc, tree) : drop(doc, tree);
    let result = isDoc(chosen) ? chosen : {};
    if (steps.length > 0) result = cloneDoc(result); // the steps change it in place
    for (const step of steps) step(result, doc, position);
    return result;
  };
}

/** The projected bytes of stored document bytes. */
export function projectBytes(bytes: Buffer, projection: Projection | null, position: MatchPosition | null): Buffer {
  return projection === null ? bytes : encodeDoc(projection(decodeDoc(bytes), position));
}

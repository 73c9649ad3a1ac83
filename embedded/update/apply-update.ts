import { Decimal128, Double, Int32, Long } from "bson";
import { badValue, DatabaseError, failedToParse, typeMismatch } from "../errors";
import { compileFilter, isOperatorDoc, isRegex } from "../query/matcher";
import { topField } from "../query/paths";
import { compareValues } from "../values/key-encoding";
import { cloneDoc, cloneValue, isDoc, isList, isNumeric, setOwn, toNumber, type Doc } from "../values/values";
import { arrayOperators } from "./array-operators";
import { expandPath, readPath, removePath, writePath, type ArraySelection, type Path } from "./document-path";

/** Changes one concrete path of the document in place. */
type FieldOperator = (doc: Doc, path: Path, operand: unknown, isInsert: boolean) => void;

const isWhole = (value: unknown): boolean =>
  value instanceof Int32 || value instanceof Long || typeof value === "bigint" || Number.isInteger(value);

const toBigInt = (value: unknown): bigint =>
  value instanceof Long ? value.toBigInt() : typeof value === "bigint" ? value : BigInt(toNumber(value));

/** Adds or multiplies as `$inc` and `$mul` do: int grows into long, long must not overflow, double stays double. */
function calculate(left: unknown, right: unknown, operation: "+" | "*"): unknown {
  if (left instanceof Decimal128 || right instanceof Decimal128) {
    const result = operation === "+" ? toNumber(left) + toNumber(right) : toNumber(left) * toNumber(right);
    return Decimal128.fromString(String(result));
  }
  if (!isWhole(left) || !isWhole(right)) {
    return new Double(operation === "+" ? toNumber(left) + toNumber(right) : toNumber(left) * toNumber(right));
  }
  const result = operation === "+" ? toBigInt(left) + toBigInt(right) : toBigInt(left) * toBigInt(right);
  const isLong = left instanceof Long || right instanceof Long;
  if (!isLong && BigInt.asIntN(32, result) === result) return new Int32(Number(result));
  if (BigInt.asIntN(64, result) !== result) throw badValue("Failed to apply the operation to current value: overflow");
  return Long.fromBigInt(result);
}

function arithmetic(operator: "$inc" | "$mul"): FieldOperator {
  return (doc, path, operand) => {
    const name = path.join(".");
    if (!isNumeric(operand)) throw typeMismatch(`Cannot apply ${operator} with a non-numeric argument: ${name}`);
    const current = readPath(doc, path);
    if (current === undefined) {
      writePath(doc, path, operator === "$inc" ? operand : calculate(operand, new Int32(0), "*"));
      return;
    }
    if (!isNumeric(current)) {
      throw typeMismatch(`Cannot apply ${operator} to a value of non-numeric type in the field '${name}'`);
    }
    writePath(doc, path, calculate(current, operand, operator === "$inc" ? "+" : "*"));
  };
}

function extreme(direction: 1 | -1): FieldOperator {
  return (doc, path, operand) => {
    const current = readPath(doc, path);
    if (current === undefined || compareValues(operand, current) * direction > 0) {
      writePath(doc, path, cloneValue(operand));
    }
  };
}

const fieldOperators: Record<string, FieldOperator> = {
  $set: (doc, path, operand) => writePath(doc, path, cloneValue(operand)),
  $setOnInsert: (doc, path, operand, isInsert) => {
    if (isInsert) writePath(doc, path, cloneValue(operand));
  },
  $unset: (doc, path) => removePath(doc, path),
  $inc: arithmetic("$inc"),
  $mul: arithmetic("$mul"),
  $min: extreme(-1),
  $max: extreme(1),
};

for (const [name, operator] of Object.entries(arrayOperators)) {
  fieldOperators[name] = (doc, path, operand) => {
    const result = operator(readPath(doc, path), operand, path.join("."));
    if (result !== undefined) writePath(doc, path, result);
  };
}

interface Step {
  readonly run: FieldOperator;
  readonly path: Path;
  readonly operand: unknown;
}

function requirePath(path: string): void {
  if (path.split(".").includes("")) {
    throw new DatabaseError(56, `The update path '${path}' contains an empty field name, which is not allowed.`);
  }
  if (path.startsWith("$")) {
    throw new DatabaseError(52, `The dollar ($) prefixed field '${path}' is not valid for storage.`);
  }
}

/** Reads an update document into steps; refuses unknown operators and paths that get in each other's way. */
function parseSteps(update: Doc): Step[] {
  const claimed: string[] = [];
  const claim = (path: string) => {
    requirePath(path);
    for (const other of claimed) {
      if (other === path || other.startsWith(`${path}.`) || path.startsWith(`${other}.`)) {
        const at = other.length < path.length ? other : path;
        throw new DatabaseError(40, `Updating the path '${path}' would create a conflict at '${at}'`);
      }
    }
    claimed.push(path);
  };
  return Object.entries(update).flatMap(([operator, fields]) => {
    const run = Object.hasOwn(fieldOperators, operator) ? fieldOperators[operator] : undefined;
    if (run === undefined) {
      throw failedToParse(`Unknown modifier: ${operator}`);
    }
    if (!isDoc(fields)) throw failedToParse(`Modifiers operate on fields but ${operator} got something else`);
    return Object.entries(fields).map(([path, operand]) => {
      claim(path);
      return { run, path: path.split("."), operand };
    });
  });
}

function compileArrayFilters(list: unknown): Map<string, (element: unknown) => boolean> {
  const filters = new Map<string, (element: unknown) => boolean>();
  if (list === undefined) return filters;
  if (!isList(list)) throw typeMismatch("arrayFilters must be an array");
  for (const filter of list) {
    if (!isDoc(filter)) throw typeMismatch("arrayFilters must hold documents");
    const { matches, fields } = compileFilter(filter);
    const [name, ...others] = [...fields].map(topField);
    if (name === undefined || others.length > 0) {
      throw failedToParse("Error parsing array filter :: caused by :: Expected a single top-level field name");
    }
    if (filters.has(name))
      throw failedToParse(`Found multiple array filters with the same top-level field name ${name}`);
    filters.set(name, (element) => matches({ [name]: element }));
  }
  return filters;
}

/** A compiled update: gives the new document for an old one, which it leaves as it is. */
export interface Update {
  readonly isReplacement: boolean;
  readonly apply: (doc: Doc, isInsert: boolean) => Doc;
}

/** Compiles operators or a replacement document; throws MongoDB's error for anything else. */
export function compileUpdate(update: unknown, arrayFilters: unknown, isMulti: boolean): Update {
  if (isList(update)) throw failedToParse("pipelines are not supported as updates");
  if (!isDoc(update)) throw failedToParse("Update argument must be an object");
  if (!Object.keys(update)[0]?.startsWith("$")) return compileReplacement(update, arrayFilters, isMulti);
  const steps = parseSteps(update);
  const filters = compileArrayFilters(arrayFilters);
  return {
    isReplacement: false,
    apply: (doc, isInsert) => {
      const next = cloneDoc(doc);
      const selection: ArraySelection = { filters, usedFilters: new Set() };
      for (const { run, path, operand } of steps) {
        for (const concrete of expandPath(next, path, selection)) run(next, concrete, operand, isInsert);
      }
      for (const name of filters.keys()) {
        if (!selection.usedFilters.has(name)) {
          throw failedToParse(`The array filter for identifier '${name}' was not used in the update`);
        }
      }
      return next;
    },
  };
}

function compileReplacement(replacement: Doc, arrayFilters: unknown, isMulti: boolean): Update {
  if (isMulti) throw failedToParse("multi update is not supported for replacement-style update");
  if (arrayFilters !== undefined) {
    throw failedToParse("arrayFilters may not be specified for replacement-style update");
  }
  const operator = Object.keys(replacement).find((key) => key.startsWith("$"));
  if (operator !== undefined) {
    throw new DatabaseError(52, `The field '${operator}' is not valid in a replacement`);
  }
  const apply = (doc: Doc): Doc => ({
    ...(Object.hasOwn(doc, "_id") ? { _id: doc._id } : {}),
    ...cloneDoc(replacement),
  });
  return { isReplacement: true, apply };
}

/** The fields an upsert takes over from the equalities of its filter. */
export function documentFromFilter(filter: Doc, onlyId: boolean): Doc {
  const doc: Doc = {};
  const take = (part: Doc) => {
    for (const [path, operand] of Object.entries(part)) {
      if (path === "$and" && isList(operand)) operand.filter(isDoc).forEach(take);
      if (path.startsWith("$") || isRegex(operand) || (onlyId && path !== "_id")) continue;
      const value = isOperatorDoc(operand) ? singleValue(operand) : operand;
      if (value === undefined) continue;
      if (path.includes(".")) writePath(doc, path.split("."), cloneValue(value));
      else setOwn(doc, path, cloneValue(value));
    }
  };
  take(filter);
  return doc;
}

function singleValue(operators: Doc): unknown {
  if ("$eq" in operators) return operators.$eq;
  for (const list of [operators.$in, operators.$all]) if (isList(list) && list.length === 1) return list[0];
  return undefined;
}

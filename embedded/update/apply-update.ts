import { Double, Int32, Long } from "bson";
import { badValue, DatabaseError, failedToParse, typeMismatch } from "../errors";
import { isOperatorDoc, isRegex } from "../query/matcher";
import { compareValues } from "../values/key-encoding";
import { getOwn, isDoc, isList, isNumeric, setOwn, toNumber, type Doc } from "../values/values";

type FieldOperator = (doc: Doc, field: string, operand: unknown, isInsert: boolean) => void;

const isWhole = (value: unknown): boolean =>
  value instanceof Int32 || value instanceof Long || typeof value === "bigint" || Number.isInteger(value);

const toBigInt = (value: unknown): bigint =>
  value instanceof Long ? value.toBigInt() : typeof value === "bigint" ? value : BigInt(toNumber(value));

/** Adds like `$inc`: int grows into long, long must not overflow, double stays double. */
function add(left: unknown, right: unknown): unknown {
  if (!isWhole(left) || !isWhole(right)) return new Double(toNumber(left) + toNumber(right));
  const result = toBigInt(left) + toBigInt(right);
  const isLong = left instanceof Long || right instanceof Long;
  if (!isLong && BigInt.asIntN(32, result) === result) return new Int32(Number(result));
  if (BigInt.asIntN(64, result) !== result) throw badValue("Failed to apply $inc to the current value: overflow");
  return Long.fromBigInt(result);
}

function increase(doc: Doc, field: string, operand: unknown): void {
  if (!isNumeric(operand)) throw typeMismatch(`Cannot increment with a non-numeric argument: ${field}`);
  const current = getOwn(doc, field);
  if (current !== undefined && !isNumeric(current)) {
    throw typeMismatch(`Cannot apply $inc to a value of non-numeric type in the field '${field}'`);
  }
  setOwn(doc, field, current === undefined ? operand : add(current, operand));
}

const set: FieldOperator = (doc, field, operand) => setOwn(doc, field, operand);

const fieldOperators: Readonly<Record<string, FieldOperator>> = {
  $set: set,
  $setOnInsert: (doc, field, operand, isInsert) => {
    if (isInsert) set(doc, field, operand, isInsert);
  },
  $unset: (doc, field) => void Reflect.deleteProperty(doc, field),
  $inc: increase,
  $max: (doc, field, operand, isInsert) => {
    const current = getOwn(doc, field);
    if (current === undefined || compareValues(operand, current) > 0) set(doc, field, operand, isInsert);
  },
};

interface Step {
  readonly run: FieldOperator;
  readonly field: string;
  readonly operand: unknown;
}

function requireField(field: string): void {
  if (field === "") throw new DatabaseError(56, "An empty update path is not valid.");
  if (field.startsWith("$")) {
    throw new DatabaseError(52, `The dollar ($) prefixed field '${field}' is not valid for storage.`);
  }
  if (field.includes(".")) throw badValue(`the embedded database updates whole fields only, not '${field}'`);
}

function parseSteps(update: Doc): Step[] {
  const claimed = new Set<string>();
  return Object.entries(update).flatMap(([operator, fields]) => {
    const run = Object.hasOwn(fieldOperators, operator) ? fieldOperators[operator] : undefined;
    if (run === undefined) throw failedToParse(`Unknown modifier: ${operator}`);
    if (!isDoc(fields)) throw failedToParse(`Modifiers operate on fields but ${operator} got something else`);
    return Object.entries(fields).map(([field, operand]) => {
      requireField(field);
      if (claimed.has(field)) throw new DatabaseError(40, `Updating the path '${field}' would create a conflict`);
      claimed.add(field);
      return { run, field, operand };
    });
  });
}

export interface Update {
  readonly isReplacement: boolean;
  readonly apply: (doc: Doc, isInsert: boolean) => Doc;
}

export function compileUpdate(update: unknown, isMulti: boolean): Update {
  if (isList(update)) throw failedToParse("pipelines are not supported as updates");
  if (!isDoc(update)) throw failedToParse("Update argument must be an object");
  if (!Object.keys(update)[0]?.startsWith("$")) return compileReplacement(update, isMulti);
  const steps = parseSteps(update);
  return {
    isReplacement: false,
    apply: (doc, isInsert) => {
      const next = { ...doc };
      for (const { run, field, operand } of steps) run(next, field, operand, isInsert);
      return next;
    },
  };
}

function compileReplacement(replacement: Doc, isMulti: boolean): Update {
  if (isMulti) throw failedToParse("multi update is not supported for replacement-style update");
  const operator = Object.keys(replacement).find((key) => key.startsWith("$"));
  if (operator !== undefined) {
    throw new DatabaseError(52, `The field '${operator}' is not valid in a replacement`);
  }
  const apply = (doc: Doc): Doc => ({
    ...(Object.hasOwn(doc, "_id") ? { _id: doc._id } : {}),
    ...replacement,
  });
  return { isReplacement: true, apply };
}

export function documentFromFilter(filter: Doc, onlyId: boolean): Doc {
  const doc: Doc = {};
  for (const [field, operand] of Object.entries(filter)) {
    if (field.startsWith("$") || isRegex(operand) || (onlyId && field !== "_id")) continue;
    const value = isOperatorDoc(operand) ? operand.$eq : operand;
    if (value === undefined) continue;
    requireField(field);
    setOwn(doc, field, value);
  }
  return doc;
}

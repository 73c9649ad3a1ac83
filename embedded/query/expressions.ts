import { Decimal128, Long, ObjectId } from "bson";
import { Context, evalExpr, ProcessingMode } from "mingo/core";
import * as accumulators from "mingo/operators/accumulator";
import * as expressions from "mingo/operators/expression";
import type { ExpressionOperator, Options, PipelineOperator } from "mingo/types";
import { badValue, DatabaseError } from "../errors";
import { compareValues, valuesEqual } from "../values/key-encoding";
import { isDoc, isList, type Doc } from "../values/values";

/*
 * Aggregation expressions are mingo's, with scripts switched off. Replaced are the operators in which mingo differs from
 * MongoDB: comparisons over all BSON types, and $toString.
 */

type Evaluate = (doc: unknown, expression: unknown, options: Options) => unknown;

function pairOf(doc: unknown, expression: unknown, options: Options): [unknown, unknown] {
  const pair = evalExpr(doc, expression, options);
  if (!isList(pair) || pair.length !== 2) throw new DatabaseError(16020, "Expression takes exactly 2 arguments");
  return [pair[0], pair[1]];
}

/** A missing field is smaller than null here, unlike in a query. */
function compareOperands(left: unknown, right: unknown): number {
  if (left === undefined || right === undefined) return Number(left !== undefined) - Number(right !== undefined);
  return compareValues(left, right);
}

const comparison =
  (accept: (order: number) => boolean): Evaluate =>
  (doc, expression, options) =>
    accept(compareOperands(...pairOf(doc, expression, options)));

function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (typeof value === "string" || typeof value === "boolean") return String(value);
  if (typeof value === "number" || value instanceof Long || value instanceof Decimal128) return value.toString();
  throw new DatabaseError(241, "Unsupported conversion to string");
}

const replaced: Record<string, Evaluate> = {
  $eq: comparison((order) => order === 0),
  $ne: comparison((order) => order !== 0),
  $gt: comparison((order) => order > 0),
  $gte: comparison((order) => order >= 0),
  $lt: comparison((order) => order < 0),
  $lte: comparison((order) => order <= 0),
  $cmp: (doc, expression, options) => Math.sign(compareOperands(...pairOf(doc, expression, options))),
  $in: (doc, expression, options) => {
    const [value, list] = pairOf(doc, expression, options);
    if (!isList(list)) throw new DatabaseError(40081, "$in requires an array as a second argument");
    return list.some((element) => valuesEqual(element, value));
  },
  $toString: (doc, expression, options) => textOf(evalExpr(doc, expression, options)),
};

// Scripts are refused; mingo's decimals are plain numbers.
const { $function: _script, $toDecimal: _decimal, ...safeExpressions } = expressions;
const { $accumulator: _scriptAccumulator, ...safeAccumulators } = accumulators;
const expressionOperators: Record<string, ExpressionOperator> = { ...safeExpressions, ...replaced };

/** mingo with the operators above and the given stages. */
export const mingoOptions = (stages: Record<string, PipelineOperator> = {}): Options => ({
  idKey: "_id",
  processingMode: ProcessingMode.CLONE_OFF,
  useStrictMode: true,
  scriptEnabled: false,
  failOnError: true,
  context: Context.init({ expression: expressionOperators, accumulator: safeAccumulators, pipeline: stages }),
});

const plainOptions = mingoOptions();

/** Runs mingo and turns its plain errors into BadValue. */
export function guardMingo<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof DatabaseError || !(error instanceof Error)) throw error;
    throw badValue(error.message);
  }
}

/** Refuses operators that are not implemented even where no document would ever reach them. */
export function validateExpression(expression: unknown): void {
  if (isList(expression)) expression.forEach(validateExpression);
  if (!isDoc(expression)) return;
  const [first] = Object.keys(expression);
  if (first?.startsWith("$") && !(first in expressionOperators || first in safeAccumulators)) {
    throw new DatabaseError(168, `Unrecognized expression '${first}'`);
  }
  if (first !== "$literal") Object.values(expression).forEach(validateExpression);
}

/** The fields of a `$group` beside `_id`. */
export function validateAccumulator(field: unknown): void {
  if (!isDoc(field)) throw new DatabaseError(40234, "The field must be an accumulator object");
  const [name = ""] = Object.keys(field);
  if (!(name in safeAccumulators)) throw new DatabaseError(15952, `unknown group operator '${name}'`);
  validateExpression(field);
}

/** A function that evaluates the expression for a document with plain numbers. */
export function compileExpression(expression: unknown, options: Options = plainOptions): (doc: Doc) => unknown {
  validateExpression(expression);
  return (doc) => guardMingo(() => evalExpr(doc, expression, options));
}

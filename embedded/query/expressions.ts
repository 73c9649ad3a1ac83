import { Decimal128, ObjectId } from "bson";
import { Context, evalExpr, ProcessingMode } from "mingo/core";
import * as accumulators from "mingo/operators/accumulator";
import * as expressions from "mingo/operators/expression";
import * as stages from "mingo/operators/pipeline";
import type { ExpressionOperator, Options } from "mingo/types";
import { badValue, DatabaseError, location } from "../errors";
import { compareValues, valuesEqual } from "../values/key-encoding";
import { isDoc, isList, setOwn, type Doc } from "../values/values";

/*
 * Aggregation expressions are mingo's, with scripts switched off. Replaced are the operators in which mingo differs from
 * MongoDB: comparisons over all BSON types, and conversions to BSON types.
 */

type Evaluate = (doc: unknown, expression: unknown, options: Options) => unknown;

function pairOf(doc: unknown, expression: unknown, options: Options): [unknown, unknown] {
  const pair = evalExpr(doc, expression, options);
  if (!isList(pair) || pair.length !== 2) throw location(16020, "Expression takes exactly 2 arguments");
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

const conversion =
  (convert: (value: unknown) => unknown): Evaluate =>
  (doc, expression, options) => {
    const value = evalExpr(doc, expression, options);
    return value === null || value === undefined ? null : convert(value);
  };

function textOf(value: unknown): string {
  if (value instanceof Date) return value.toISOString();
  if (value instanceof ObjectId) return value.toHexString();
  if (isDoc(value) || isList(value)) {
    throw new DatabaseError(
      241,
      "ConversionFailure",
      "Unsupported conversion to string in $convert with no onError value",
    );
  }
  return String(value);
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
    if (!isList(list)) throw location(40081, "$in requires an array as a second argument");
    return list.some((element) => valuesEqual(element, value));
  },
  $toString: conversion(textOf),
  $toObjectId: conversion((value) => (value instanceof ObjectId ? value : new ObjectId(textOf(value)))),
  $toDecimal: conversion((value) => Decimal128.fromString(textOf(value))),
};

const { $function: _script, ...safeExpressions } = expressions;
const { $accumulator: _scriptAccumulator, ...safeAccumulators } = accumulators;

const expressionOperators: Record<string, ExpressionOperator> = { ...safeExpressions, ...replaced };
const context = Context.init({
  expression: expressionOperators,
  accumulator: safeAccumulators,
  pipeline: stages,
});

/** Variables of `let` and the time of the command, the same for all documents it sees. */
export interface Scope {
  readonly variables: Readonly<Doc>;
}

export const emptyScope: Scope = { variables: {} };

export const mingoOptions = ({ variables }: Scope): Options => ({
  idKey: "_id",
  processingMode: ProcessingMode.CLONE_OFF,
  useStrictMode: true,
  scriptEnabled: false,
  failOnError: true,
  variables,
  context,
});

/** Runs mingo and turns its plain errors into BadValue. */
export function guardMingo<T>(run: () => T): T {
  try {
    return run();
  } catch (error) {
    if (error instanceof DatabaseError || !(error instanceof Error)) throw error;
    throw badValue(error.message);
  }
}

const isOperatorName = (key: string | undefined): key is string => key?.startsWith("$") ?? false;

/** Refuses operators that are not implemented even where no document would ever reach them. */
export function validateExpression(expression: unknown, alsoAccumulators = false): void {
  if (isList(expression)) expression.forEach((part) => validateExpression(part));
  if (!isDoc(expression)) return;
  const [first] = Object.keys(expression);
  if (isOperatorName(first)) {
    const isKnown = first in expressionOperators || first in safeAccumulators;
    if (!isKnown || (alsoAccumulators && !(first in safeAccumulators))) {
      if (alsoAccumulators) throw location(15952, `unknown group operator '${first}'`);
      throw new DatabaseError(168, "InvalidPipelineOperator", `Unrecognized expression '${first}'`);
    }
    if (first === "$literal") return;
  }
  for (const part of Object.values(expression)) validateExpression(part);
}

/** A function that evaluates the expression for a document with plain numbers. */
export function compileExpression(expression: unknown, scope: Scope): (doc: Doc) => unknown {
  validateExpression(expression);
  const options = mingoOptions(scope);
  return (doc) => guardMingo(() => evalExpr(doc, expression, options));
}

/** The variables of a command's or stage's `let`. */
export function evaluateVariables(lets: unknown, doc: Doc, scope: Scope): Scope {
  if (!isDoc(lets)) return scope;
  const variables: Doc = { ...scope.variables };
  for (const [name, expression] of Object.entries(lets)) {
    setOwn(variables, name, compileExpression(expression, scope)(doc) ?? null);
  }
  return { variables };
}

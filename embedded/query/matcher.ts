import { BSONRegExp } from "bson";
import { badValue, DatabaseError } from "../errors";
import { compareValues, encodeValue, valuesEqual } from "../values/key-encoding";
import { isDoc, isList, isNumeric, isTruthy, rankOf, toNumber, type Doc } from "../values/values";
import { topField, walkLeaves, walkPath } from "./paths";

type Test = (doc: unknown) => boolean;
type ValueTest = (value: unknown, isElement: boolean) => boolean;

interface Matcher {
  readonly matches: (doc: Doc) => boolean;
  readonly fields: ReadonlySet<string>;
}

export function isOperatorDoc(value: unknown): value is Doc {
  if (!isDoc(value)) return false;
  const first = Object.keys(value)[0];
  return first?.startsWith("$") === true && first !== "$ref" && first !== "$id";
}

export const isRegex = (value: unknown): value is RegExp | BSONRegExp =>
  value instanceof RegExp || value instanceof BSONRegExp;

function toRegExp(value: unknown, options?: unknown): RegExp {
  const source = value instanceof RegExp ? value.source : value instanceof BSONRegExp ? value.pattern : value;
  const ownFlags = value instanceof RegExp ? value.flags : value instanceof BSONRegExp ? value.options : "";
  const flags = options ?? ownFlags;
  if (typeof source !== "string") throw badValue("$regex has to be a string");
  if (typeof flags !== "string") throw badValue("$options has to be a string");
  if (/[^imsu]/.test(flags)) throw new DatabaseError(51108, `invalid flag in regex options: ${flags}`);
  try {
    return new RegExp(source, [...new Set(flags)].join(""));
  } catch {
    throw new DatabaseError(51091, `Regular expression is invalid: ${source}`);
  }
}

function equalityTest(operand: unknown): ValueTest {
  if (isRegex(operand)) {
    const regex = toRegExp(operand);
    return (value) => (typeof value === "string" ? regex.test(value) : isRegex(value) && valuesEqual(value, operand));
  }
  if (operand === null || operand === undefined) {
    return (value, isElement) => value === null || (value === undefined && !isElement);
  }
  return (value) => value !== undefined && valuesEqual(value, operand);
}

/** Range operators compare only within one type. */
function rangeTest(operand: unknown, accept: (order: number) => boolean): ValueTest {
  const rank = rankOf(operand);
  const isNaN = isNumeric(operand) && Number.isNaN(toNumber(operand));
  return (value) => {
    if (value === undefined) return operand === null && accept(0);
    if (rankOf(value) !== rank) return false;
    if (rank === 10 && Number.isNaN(toNumber(value)) !== isNaN) return false;
    return accept(compareValues(value, operand));
  };
}

function membershipTest(values: unknown, operator: string): ValueTest {
  if (!isList(values)) throw badValue(`${operator} needs an array`);
  if (values.some(isOperatorDoc)) throw badValue(`cannot nest $ under ${operator}`);
  if (values.length > 8 && !values.some((value) => isRegex(value) || value === null || value === undefined)) {
    const keys = new Set(values.map(encodeValue));
    return (value) => value !== undefined && keys.has(encodeValue(value));
  }
  const tests = values.map(equalityTest);
  return (value, isElement) => tests.some((test) => test(value, isElement));
}

const valueTests: Record<string, (operand: unknown, siblings: Doc) => ValueTest> = {
  $eq: (operand) =>
    isRegex(operand) ? (value) => isRegex(value) && valuesEqual(value, operand) : equalityTest(operand),
  $gt: (operand) => rangeTest(operand, (order) => order > 0),
  $gte: (operand) => rangeTest(operand, (order) => order >= 0),
  $lt: (operand) => rangeTest(operand, (order) => order < 0),
  $lte: (operand) => rangeTest(operand, (order) => order <= 0),
  $in: (operand) => membershipTest(operand, "$in"),
  $regex: (operand, siblings) => {
    const regex = toRegExp(operand, siblings.$options);
    return (value) => typeof value === "string" && regex.test(value);
  },
};

class FilterCompiler {
  readonly fields = new Set<string>();

  filter(filter: Doc): Test {
    const tests = Object.entries(filter).map(([key, operand]) => {
      if (key.startsWith("$")) return this.topLevel(key, operand);
      this.fields.add(topField(key));
      return this.field(key.split("."), operand);
    });
    return allOf(tests);
  }

  private topLevel(operator: string, operand: unknown): Test {
    switch (operator) {
      case "$and":
        return allOf(this.branches(operator, operand));
      case "$or":
        return someOf(this.branches(operator, operand));
      default:
        throw badValue(`unknown top level operator: ${operator}`);
    }
  }

  private branches(operator: string, operand: unknown): Test[] {
    if (!isList(operand) || operand.length === 0) throw badValue(`${operator} argument must be a non-empty array`);
    return operand.map((branch) => {
      if (!isDoc(branch)) throw badValue(`${operator} argument's entries must be objects`);
      return this.filter(branch);
    });
  }

  private field(parts: readonly string[], operand: unknown): Test {
    if (!isOperatorDoc(operand)) return someLeaf(parts, equalityTest(operand));
    return allOf(Object.entries(operand).map(([operator, value]) => this.operator(parts, operator, value, operand)));
  }

  private operator(parts: readonly string[], operator: string, operand: unknown, siblings: Doc): Test {
    const valueTest = valueTests[operator];
    if (valueTest !== undefined) return someLeaf(parts, valueTest(operand, siblings));
    switch (operator) {
      case "$ne":
        if (isRegex(operand)) throw badValue("Can't have regex as arg to $ne.");
        return negate(someLeaf(parts, equalityTest(operand)));
      case "$nin":
        return negate(someLeaf(parts, membershipTest(operand, operator)));
      case "$not":
        if (!isOperatorDoc(operand) && !isRegex(operand)) throw badValue("$not needs a regex or a document");
        return negate(this.field(parts, operand));
      case "$exists": {
        const wanted = isTruthy(operand);
        return (doc) => walkPath(doc, parts, (value) => value !== undefined) === wanted;
      }
      case "$options":
        if (!("$regex" in siblings)) throw badValue("$options needs a $regex");
        return () => true;
      default:
        throw badValue(`unknown operator: ${operator}`);
    }
  }
}

const someLeaf =
  (parts: readonly string[], accepts: ValueTest): Test =>
  (doc) =>
    walkLeaves(doc, parts, accepts);

const negate =
  (test: Test): Test =>
  (doc) =>
    !test(doc);

const someOf =
  (tests: readonly Test[]): Test =>
  (doc) =>
    tests.some((test) => test(doc));

function allOf(tests: readonly Test[]): Test {
  const [only] = tests;
  if (tests.length === 1 && only !== undefined) return only;
  return (doc) => tests.every((test) => test(doc));
}

export function compileFilter(filter: Doc): Matcher {
  const compiler = new FilterCompiler();
  const matches = compiler.filter(filter);
  return { matches, fields: compiler.fields };
}

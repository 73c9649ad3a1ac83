import { badValue, failedToParse, typeMismatch } from "../errors";
import { compileFilter, isOperatorDoc, isRegex, toRegExp } from "../query/matcher";
import { encodeValue, valuesEqual } from "../values/key-encoding";
import { cloneValue, isDoc, isList, toInteger, toNumber, type Doc } from "../values/values";

/** Operators that turn an array into another; undefined stands for a missing field and, as result, for no change. */
export type ArrayOperator = (current: unknown, operand: unknown, path: string) => unknown[] | undefined;

function requireArray(current: unknown, operator: string, path: string): unknown[] {
  if (isList(current)) return current;
  throw badValue(`The field '${path}' must be an array for ${operator}`);
}

function eachOf(operand: unknown, operator: string): unknown[] {
  if (!isDoc(operand) || !("$each" in operand)) return [operand];
  if (!isList(operand.$each)) throw badValue(`The argument to $each in ${operator} must be an array`);
  return operand.$each;
}

function sliceElements(elements: unknown[], count: number): unknown[] {
  if (count === 0) return [];
  return count > 0 ? elements.slice(0, count) : elements.slice(count);
}

const push: ArrayOperator = (current, operand, path) => {
  const elements = current === undefined ? [] : [...requireArray(current, "$push", path)];
  const clauses: Doc = isDoc(operand) && "$each" in operand ? operand : {};
  for (const clause of Object.keys(clauses)) {
    if (!["$each", "$slice", "$position"].includes(clause)) {
      throw badValue(`Unrecognized clause in $push: ${clause}`);
    }
  }
  const given = clauses.$position === undefined ? elements.length : toInteger(clauses.$position, "$position");
  const position = given < 0 ? Math.max(0, elements.length + given) : Math.min(given, elements.length);
  elements.splice(position, 0, ...eachOf(operand, "$push").map(cloneValue));
  return clauses.$slice === undefined ? elements : sliceElements(elements, toInteger(clauses.$slice, "$slice"));
};

const addToSet: ArrayOperator = (current, operand, path) => {
  const elements = current === undefined ? [] : [...requireArray(current, "$addToSet", path)];
  if (isDoc(operand) && "$each" in operand && Object.keys(operand).length > 1) {
    throw badValue(`Found unexpected fields after $each in $addToSet`);
  }
  const seen = new Set(elements.map(encodeValue));
  for (const value of eachOf(operand, "$addToSet")) {
    if (seen.has(encodeValue(value))) continue;
    seen.add(encodeValue(value));
    elements.push(cloneValue(value));
  }
  return elements;
};

function pullTest(operand: unknown): (element: unknown) => boolean {
  if (isOperatorDoc(operand)) {
    const { matches } = compileFilter({ element: operand });
    return (element) => matches({ element });
  }
  if (isDoc(operand)) {
    const { matches } = compileFilter(operand);
    return (element) => isDoc(element) && matches(element);
  }
  if (isRegex(operand)) {
    const regex = toRegExp(operand);
    return (element) => typeof element === "string" && regex.test(element);
  }
  return (element) => valuesEqual(element, operand);
}

const pull: ArrayOperator = (current, operand, path) => {
  if (current === undefined) return undefined;
  const matches = pullTest(operand);
  return requireArray(current, "$pull", path).filter((element) => !matches(element));
};

const pullAll: ArrayOperator = (current, operand, path) => {
  if (!isList(operand)) throw badValue("$pullAll requires an array argument");
  if (current === undefined) return undefined;
  const unwanted = new Set(operand.map(encodeValue));
  return requireArray(current, "$pullAll", path).filter((element) => !unwanted.has(encodeValue(element)));
};

const pop: ArrayOperator = (current, operand, path) => {
  const side = toNumber(operand);
  if (side !== 1 && side !== -1) throw failedToParse(`$pop expects 1 or -1, found: ${side}`);
  if (current === undefined) return undefined;
  if (!isList(current)) throw typeMismatch(`Path '${path}' contains an element of non-array type`);
  return side === 1 ? current.slice(0, -1) : current.slice(1);
};

export const arrayOperators: Readonly<Record<string, ArrayOperator>> = {
  $push: push,
  $addToSet: addToSet,
  $pull: pull,
  $pullAll: pullAll,
  $pop: pop,
};

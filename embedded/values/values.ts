import { Decimal128, Double, Int32, Long } from "bson";
import { badValue } from "../errors";

/** A decoded document. Numbers are kept as Int32, Double and Long objects, so that writing it back changes no type. */
export type Doc = Record<string, unknown>;

/** Stands for an empty array in index and sort keys: smaller than null, as BSON's `undefined` is. */
export const emptyArray = Symbol("empty array");

export const bsonType = {
  minKey: -1,
  double: 1,
  string: 2,
  object: 3,
  array: 4,
  binData: 5,
  undefined: 6,
  objectId: 7,
  bool: 8,
  date: 9,
  null: 10,
  regex: 11,
  javascript: 13,
  symbol: 14,
  int: 16,
  timestamp: 17,
  long: 18,
  decimal: 19,
  maxKey: 127,
} as const;

const taggedTypes: Readonly<Record<string, number>> = {
  Int32: bsonType.int,
  Double: bsonType.double,
  Long: bsonType.long,
  Decimal128: bsonType.decimal,
  ObjectId: bsonType.objectId,
  Binary: bsonType.binData,
  Timestamp: bsonType.timestamp,
  BSONRegExp: bsonType.regex,
  BSONSymbol: bsonType.symbol,
  Code: bsonType.javascript,
  MinKey: bsonType.minKey,
  MaxKey: bsonType.maxKey,
};

const tagOf = (value: object): unknown => ("_bsontype" in value ? value._bsontype : undefined);

/** The BSON type number of a decoded value; 6 (`undefined`) when there is none. */
export function typeOf(value: unknown): number {
  switch (typeof value) {
    case "string":
      return bsonType.string;
    case "boolean":
      return bsonType.bool;
    case "number":
      return Number.isInteger(value) && Math.abs(value) <= 0x7fffffff ? bsonType.int : bsonType.double;
    case "bigint":
      return bsonType.long;
    case "object":
      break;
    default:
      return bsonType.undefined;
  }
  if (value === null) return bsonType.null;
  if (Array.isArray(value)) return bsonType.array;
  if (value instanceof Date) return bsonType.date;
  if (value instanceof RegExp) return bsonType.regex;
  const tag = tagOf(value);
  return typeof tag === "string" ? (taggedTypes[tag] ?? bsonType.object) : bsonType.object;
}

const ranks = new Map<number, number>([
  [bsonType.minKey, 1],
  [bsonType.undefined, 5],
  [bsonType.null, 5],
  [bsonType.double, 10],
  [bsonType.int, 10],
  [bsonType.long, 10],
  [bsonType.decimal, 10],
  [bsonType.string, 15],
  [bsonType.symbol, 15],
  [bsonType.object, 20],
  [bsonType.array, 25],
  [bsonType.binData, 30],
  [bsonType.objectId, 35],
  [bsonType.bool, 40],
  [bsonType.date, 45],
  [bsonType.timestamp, 47],
  [bsonType.regex, 50],
  [bsonType.javascript, 60],
  [bsonType.maxKey, 127],
]);

/** Place of a value's type in MongoDB's comparison order; types with one rank compare with each other. */
export function rankOf(value: unknown): number {
  return value === emptyArray ? 3 : (ranks.get(typeOf(value)) ?? 20);
}

export const isNumeric = (value: unknown): boolean => rankOf(value) === 10;

/** A plain document: no array, date or BSON value object. */
export function isDoc(value: unknown): value is Doc {
  return (
    typeof value === "object" &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Date) &&
    !(value instanceof RegExp) &&
    !("_bsontype" in value && typeof value._bsontype === "string" && value._bsontype !== "DBRef")
  );
}

export const isList = (value: unknown): value is unknown[] => Array.isArray(value);

/** The value as a JavaScript number; integers beyond 2^53 and decimals are rounded. */
export function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) return value.toNumber();
  if (value instanceof Decimal128) return Number(value.toString());
  return NaN;
}

/** A whole number given as an option or argument; anything else is refused, naming the field. */
export function toInteger(value: unknown, field: string, minimum = -Number.MAX_SAFE_INTEGER): number {
  const number = toNumber(value);
  if (!Number.isSafeInteger(number) || number < minimum)
    throw badValue(`${field} must be a whole number >= ${minimum}`);
  return number;
}

/** What MongoDB takes as true in options such as `multi` and in `$exists`. */
export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  return isNumeric(value) ? toNumber(value) !== 0 : true;
}

/** Sets an own property even when it is called `__proto__`. */
export function setOwn(target: Doc, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

export function getOwn(source: Doc, key: string): unknown {
  return Object.hasOwn(source, key) ? source[key] : undefined;
}

/** Copies documents and arrays; all other values are never changed in place and are shared. */
export function cloneValue(value: unknown): unknown {
  if (isList(value)) return value.map(cloneValue);
  return isDoc(value) ? cloneDoc(value) : value;
}

export function cloneDoc(source: Doc): Doc {
  const copy: Doc = {};
  for (const key of Object.keys(source)) setOwn(copy, key, cloneValue(source[key]));
  return copy;
}

/** Int32, Double and safe Long become plain numbers, as expressions need them. */
export function toPlain(value: unknown): unknown {
  if (isList(value)) return value.map(toPlain);
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) return Number.isSafeInteger(value.toNumber()) ? value.toNumber() : value;
  return isDoc(value) ? toPlainDoc(value) : value;
}

export function toPlainDoc(source: Doc): Doc {
  const copy: Doc = {};
  for (const key of Object.keys(source)) setOwn(copy, key, toPlain(source[key]));
  return copy;
}

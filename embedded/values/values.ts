import { Decimal128, Double, Int32, Long } from "bson";
import { badValue } from "../errors";

/** A decoded document. Numbers are kept as Int32, Double and Long objects, so that writing it back changes no type. */
export type Doc = Record<string, unknown>;

/** Stands for an empty array in index and sort keys: smaller than null, as BSON's `undefined` is. */
export const emptyArray = Symbol("empty array");

/** Number of each BSON type, and its place in MongoDB's comparison order; types of one rank compare with each other. */
const types = {
  minKey: { number: -1, rank: 1 },
  undefined: { number: 6, rank: 5 },
  null: { number: 10, rank: 5 },
  double: { number: 1, rank: 10 },
  int: { number: 16, rank: 10 },
  long: { number: 18, rank: 10 },
  decimal: { number: 19, rank: 10 },
  string: { number: 2, rank: 15 },
  symbol: { number: 14, rank: 15 },
  object: { number: 3, rank: 20 },
  array: { number: 4, rank: 25 },
  binData: { number: 5, rank: 30 },
  objectId: { number: 7, rank: 35 },
  bool: { number: 8, rank: 40 },
  date: { number: 9, rank: 45 },
  timestamp: { number: 17, rank: 47 },
  regex: { number: 11, rank: 50 },
  javascript: { number: 13, rank: 60 },
  maxKey: { number: 127, rank: 127 },
} as const;

type TypeName = keyof typeof types;

/** The type of the value objects of the `bson` package. */
const taggedTypes: Readonly<Record<string, TypeName>> = {
  Int32: "int",
  Double: "double",
  Long: "long",
  Decimal128: "decimal",
  ObjectId: "objectId",
  Binary: "binData",
  Timestamp: "timestamp",
  BSONRegExp: "regex",
  BSONSymbol: "symbol",
  Code: "javascript",
  MinKey: "minKey",
  MaxKey: "maxKey",
};

/** The name of a decoded value's BSON type, as `$type` knows it. */
export function typeOf(value: unknown): TypeName {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "bigint") return "long";
  if (typeof value === "number") return Number.isInteger(value) && Math.abs(value) <= 0x7fffffff ? "int" : "double";
  if (value === null) return "null";
  if (typeof value !== "object") return "undefined";
  if (Array.isArray(value)) return "array";
  if (value instanceof Date) return "date";
  if (value instanceof RegExp) return "regex";
  const tag = "_bsontype" in value ? value._bsontype : undefined;
  return typeof tag === "string" ? (taggedTypes[tag] ?? "object") : "object";
}

/** The type that a name or number stands for; undefined when there is none. */
export const findType = (given: unknown): string | undefined =>
  Object.entries(types).find(([name, { number }]) => name === given || number === toNumber(given))?.[0];

/** Place of a value's type in MongoDB's comparison order. */
export const rankOf = (value: unknown): number => (value === emptyArray ? 3 : types[typeOf(value)].rank);

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

import { Double, Int32, Long } from "bson";
import { badValue } from "../errors";

/** A decoded document. Numbers stay Int32, Double and Long objects, so that encoding it again keeps all types. */
export type Doc = Record<string, unknown>;

/** Stands for an empty array in index and sort keys: less than null, like BSON's `undefined`. */
export const emptyArray = Symbol("empty array");

const ranks = {
  undefined: 5,
  null: 5,
  number: 10,
  string: 15,
  object: 20,
  array: 25,
  binData: 30,
  objectId: 35,
  bool: 40,
  date: 45,
  regex: 50,
} as const;

type TypeName = keyof typeof ranks;

const taggedTypes: Readonly<Record<string, TypeName>> = {
  Int32: "number",
  Double: "number",
  Long: "number",
  ObjectId: "objectId",
  Binary: "binData",
  BSONRegExp: "regex",
  DBRef: "object",
};

function typeOf(value: unknown): TypeName {
  if (typeof value === "string") return "string";
  if (typeof value === "boolean") return "bool";
  if (typeof value === "number" || typeof value === "bigint") return "number";
  if (value === null) return "null";
  if (typeof value !== "object") return "undefined";
  if (Array.isArray(value)) return "array";
  if (value instanceof Date) return "date";
  if (value instanceof RegExp) return "regex";
  const tag = "_bsontype" in value ? value._bsontype : undefined;
  const type = typeof tag === "string" ? taggedTypes[tag] : "object";
  if (type === undefined) throw badValue(`the embedded database compares no values of type ${String(tag)}`);
  return type;
}

export const rankOf = (value: unknown): number => (value === emptyArray ? 3 : ranks[typeOf(value)]);

export const isNumeric = (value: unknown): boolean => rankOf(value) === 10;

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

export function toNumber(value: unknown): number {
  if (typeof value === "number") return value;
  if (typeof value === "bigint") return Number(value);
  if (value instanceof Int32 || value instanceof Double) return value.value;
  if (value instanceof Long) return value.toNumber();
  return NaN;
}

export function toInteger(value: unknown, field: string, minimum = -Number.MAX_SAFE_INTEGER): number {
  const number = toNumber(value);
  if (!Number.isSafeInteger(number) || number < minimum)
    throw badValue(`${field} must be a whole number >= ${minimum}`);
  return number;
}

export function isTruthy(value: unknown): boolean {
  if (value === undefined || value === null || value === false) return false;
  return isNumeric(value) ? toNumber(value) !== 0 : true;
}

/** Sets an own property, even `__proto__`. */
export function setOwn(target: Doc, key: string, value: unknown): void {
  if (key === "__proto__") {
    Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
  } else target[key] = value;
}

export function getOwn(source: Doc, key: string): unknown {
  return Object.hasOwn(source, key) ? source[key] : undefined;
}

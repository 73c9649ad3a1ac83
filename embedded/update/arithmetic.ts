import { Decimal128, Double, Int32, Long } from "bson";
import { badValue } from "../errors";
import { toNumber } from "../values/values";

const isWhole = (value: unknown): boolean =>
  value instanceof Int32 || value instanceof Long || typeof value === "bigint" || Number.isInteger(value);

const toBigInt = (value: unknown): bigint =>
  value instanceof Long ? value.toBigInt() : typeof value === "bigint" ? value : BigInt(toNumber(value));

/** Adds or multiplies as `$inc` and `$mul` do: int grows into long, long must not overflow, double stays double. */
export function calculate(left: unknown, right: unknown, operation: "+" | "*"): unknown {
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

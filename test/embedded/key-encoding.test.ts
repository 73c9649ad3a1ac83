import { Long } from "bson";
import fc from "fast-check";
import { expect, it } from "vitest";
import { compareValues, encodeValue } from "@/embedded/values/key-encoding";

const sign = (left: string, right: string) => (left < right ? -1 : left > right ? 1 : 0);

it("orders doubles as numbers", () => {
  const number = fc.double({ noNaN: true });
  fc.assert(
    fc.property(number, number, (x, y) => {
      expect(sign(encodeValue(x), encodeValue(y))).toBe(Math.sign(x - y) || 0);
    }),
  );
  expect(encodeValue(NaN) < encodeValue(-Infinity)).toBe(true);
  expect(encodeValue(-0)).toBe(encodeValue(0));
});

it("orders longs exactly, also beyond the range of doubles, and equals them with doubles of the same value", () => {
  const long = fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n });
  const near = fc.integer({ min: -2000, max: 2000 }).map((n) => 2n ** 62n + BigInt(n));
  fc.assert(
    fc.property(fc.oneof(long, near), fc.oneof(long, near), (x, y) => {
      expect(sign(encodeValue(Long.fromBigInt(x)), encodeValue(Long.fromBigInt(y)))).toBe(x < y ? -1 : x > y ? 1 : 0);
    }),
  );
  expect(encodeValue(Long.fromNumber(2 ** 40))).toBe(encodeValue(2 ** 40));
});

it("orders strings by their code points, as UTF-8 does", () => {
  const text = fc.string({ unit: "binary", maxLength: 6 });
  fc.assert(
    fc.property(text, text, (x, y) => {
      expect(sign(encodeValue(x), encodeValue(y))).toBe(Buffer.compare(Buffer.from(x), Buffer.from(y)));
    }),
  );
});

it("lets no encoding be the beginning of another, so that compound keys keep their fields apart", () => {
  const value = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.integer(),
    fc.object({ maxDepth: 2 }),
    fc.array(fc.string()),
  );
  fc.assert(
    fc.property(value, value, (x, y) => {
      fc.pre(compareValues(x, y) !== 0);
      expect(encodeValue(x).startsWith(encodeValue(y))).toBe(false);
    }),
  );
});

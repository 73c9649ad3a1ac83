import { crc32, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinPlain, type AnswerParts } from "@/lib/policy/answer/answer";
import { joinGzip } from "@/lib/policy/answer/answer-gzip";
import { Fragment } from "@/lib/policy/gzip/fragment";
import { objectText } from "@/lib/policy/table/json-text";
import { runs } from "@/test/support/extent";

const bytesOf = ({ buffers, length }: ReturnType<typeof joinPlain>) => {
  const bytes = Buffer.concat(buffers);
  expect(bytes.length).toBe(length);
  return bytes;
};

function expectSame(parts: AnswerParts): void {
  const expected = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part.bytes)));
  expect(bytesOf(joinPlain(parts)).equals(expected)).toBe(true);
  expect(gunzipSync(bytesOf(joinGzip(parts))).equals(expected)).toBe(true);
}

function textOf(length: number, isRepetitive: boolean): string {
  if (isRepetitive) return '{"ü":null},'.repeat(Math.ceil(length / 11)).slice(0, length);
  let text = "";
  for (let seed = length; text.length < length; seed = (Math.imul(seed, 1_103_515_245) + 12_345) >>> 0) {
    text += seed.toString(36);
  }
  return text.slice(0, length);
}

const anyText = fc.string({ unit: "binary", maxLength: 40 });
const anySize = fc.oneof(
  fc.nat(200),
  fc.constantFrom(
    4_095,
    4_096,
    4_097,
    16_383,
    19_000,
    20_001,
    16_384,
    32_768,
    65_535,
    65_536,
    70_000,
    131_071,
    200_000,
  ),
);
const anyPart = fc.oneof(
  anyText,
  fc.tuple(anySize, fc.boolean()).map(([size, isRepetitive]) => textOf(size, isRepetitive)),
  anyText.map((text) => new Fragment(text)),
  fc.tuple(anySize, fc.boolean()).map(([size, isRepetitive]) => new Fragment(textOf(size, isRepetitive))),
);

describe("an answer as gzip holds the bytes of the plain answer", () => {
  it("for any sequence of texts and fragments", () =>
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 12 }), (parts) => expectSame(parts)),
      { numRuns: runs(150) },
    ));

  it("for fragments compressed ahead", () =>
    fc.assert(
      fc.asyncProperty(anyText, anySize, fc.boolean(), async (text, size, isRepetitive) => {
        const ahead = await new Fragment(textOf(size, isRepetitive)).deflateAhead();
        expectSame([text, ahead, text, ahead]);
      }),
      { numRuns: runs(40) },
    ));

  it.each([[[]], [[""]], [["", "", ""]], [[new Fragment("")]], [["", new Fragment(""), ""]]])(
    "for nothing but empty pieces (%#)",
    (parts) => expectSame(parts),
  );

  it.each([65_534, 65_535, 65_536, 131_070, 131_071])("for a text of %d bytes between fragments", (length) => {
    expectSame([new Fragment("a"), "x".repeat(length), new Fragment("b")]);
  });

  it("for half surrogate pairs, which both forms write alike", () =>
    expectSame(["\ud800", new Fragment("\udfff"), "\ud83d", "\ude00"]));

  it("is one gzip member: other readers stop at the end of the first", () => {
    const gzip = bytesOf(joinGzip([new Fragment("one"), "two", new Fragment("three")]));
    expect([...gzip.subarray(0, 4)]).toEqual([0x1f, 0x8b, 8, 0]);
    expect(gzip.readUInt32LE(gzip.length - 8)).toBe(crc32("onetwothree"));
    expect(gzip.readUInt32LE(gzip.length - 4)).toBe("onetwothree".length);
  });
});

describe("a fragment", () => {
  it("keeps its compressed form, made ahead or when asked for", async () => {
    const fragment = new Fragment(textOf(5_000, true));
    expect(fragment.deflated).toBe(fragment.deflated);
    const before = fragment.deflated;
    expect((await fragment.deflateAhead()).deflated).toBe(before);
    const ahead = await new Fragment(textOf(5_000, true)).deflateAhead();
    expect(ahead.deflated).toBe(ahead.deflated);
    expect(ahead.deflated.length).toBeLessThan(500);
    expect([ahead.isAhead, new Fragment("a").isAhead]).toEqual([true, false]);
  });

  it("N16: holds no more memory than its bytes: thousands of apps have one each", () => {
    const pool = Buffer.from("x").buffer.byteLength;
    const fragments = Array.from({ length: 100 }, (_, at) => new Fragment(textOf(600 + at, false)));
    const held = new Set(fragments.flatMap(({ bytes, deflated }) => [bytes.buffer, deflated.buffer]));
    const bytes = fragments.reduce((sum, one) => sum + one.bytes.length + one.deflated.length, 0);
    expect([...held].reduce((sum, { byteLength }) => sum + byteLength, 0)).toBeLessThan(2 * bytes + 2 * pool);
  });
});

describe("N16: a checksum is carried on over a fragment", () => {
  it("N16: as if its bytes were gone through, made ahead or not", () =>
    fc.assert(
      fc.asyncProperty(fc.nat(0xffff_ffff), anySize, fc.boolean(), async (crc, size, isRepetitive) => {
        const fragment = new Fragment(textOf(size, isRepetitive));
        const expected = size === 0 ? crc : crc32(fragment.bytes, crc);
        expect(fragment.carryOn(crc)).toBe(expected);
        expect((await fragment.deflateAhead()).carryOn(crc)).toBe(expected);
      }),
      { numRuns: runs(60) },
    ));

  it.each([0, 1, 2 ** 31, 2 ** 32 - 1])("N16: from %d", async (crc) => {
    expect((await new Fragment("{}").deflateAhead()).carryOn(crc)).toBe(crc32("{}", crc));
  });
});

it("G6: object text keeps the order of its members and escapes their names", () => {
  const members = [
    ["b", "1"],
    ["2", "[]"],
    ["1", "null"],
    ['q"\n', '"x"'],
  ] as const;
  expect(objectText(members)).toBe('{"b":1,"2":[],"1":null,"q\\"\\n":"x"}');
  expect(objectText([])).toBe("{}");
});

import { crc32, gunzipSync } from "node:zlib";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { joinPlain, type AnswerParts } from "@/lib/policy/answer";
import { joinGzip } from "@/lib/policy/answer-gzip";
import { crcShift, joinCrc } from "@/lib/policy/crc32";
import { Fragment } from "@/lib/policy/fragment";
import { objectText } from "@/lib/policy/json-text";

const bytesOf = ({ buffers, length }: ReturnType<typeof joinPlain>) => {
  const bytes = Buffer.concat(buffers);
  expect(bytes.length).toBe(length);
  return bytes;
};

/** Checks both forms of the parts against the text they stand for. */
function expectSame(parts: AnswerParts): void {
  const expected = Buffer.concat(parts.map((part) => (typeof part === "string" ? Buffer.from(part) : part.bytes)));
  expect(bytesOf(joinPlain(parts)).equals(expected)).toBe(true);
  expect(gunzipSync(bytesOf(joinGzip(parts))).equals(expected)).toBe(true);
}

/** Text that compresses (repetition) or hardly does (a counter mixed up), of about this many characters. */
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
  fc.constantFrom(4_095, 4_096, 4_097, 16_383, 16_384, 32_768, 65_535, 65_536, 70_000, 131_071, 200_000),
);
const anyPart = fc.oneof(
  anyText,
  fc.tuple(anySize, fc.boolean()).map(([size, isRepetitive]) => textOf(size, isRepetitive)),
  anyText.map((text) => new Fragment(text)),
  fc.tuple(anySize, fc.boolean()).map(([size, isRepetitive]) => new Fragment(textOf(size, isRepetitive))),
);

describe("an answer as gzip holds the bytes of the plain answer", () => {
  it("for any sequence of texts and fragments", () => {
    fc.assert(
      fc.property(fc.array(anyPart, { maxLength: 8 }), (parts) => expectSame(parts)),
      { numRuns: 150 },
    );
  });

  it("for fragments compressed ahead", async () => {
    await fc.assert(
      fc.asyncProperty(anyText, anySize, fc.boolean(), async (text, size, isRepetitive) => {
        const ahead = await new Fragment(textOf(size, isRepetitive)).deflateAhead();
        expectSame([text, ahead, text, ahead]);
      }),
      { numRuns: 40 },
    );
  });

  it.each([[[]], [[""]], [["", "", ""]], [[new Fragment("")]], [["", new Fragment(""), ""]]])(
    "for nothing but empty pieces (%#)",
    (parts) => expectSame(parts),
  );

  it.each([65_534, 65_535, 65_536, 131_070, 131_071])("for a text of %d bytes between fragments", (length) => {
    expectSame([new Fragment("a"), "x".repeat(length), new Fragment("b")]);
  });

  it("for half surrogate pairs, which both forms write alike", () => {
    expectSame(["\ud800", new Fragment("\udfff"), "\ud83d", "\ude00"]);
  });

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
  });
});

describe("checksums are joined without reading the bytes again", () => {
  it("for any split of any bytes", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 5_000 }), fc.nat(), (bytes, position) => {
        const at = bytes.length === 0 ? 0 : position % (bytes.length + 1);
        const [head, tail] = [bytes.subarray(0, at), bytes.subarray(at)];
        expect(joinCrc(crc32(head), crc32(tail), crcShift(tail.length))).toBe(crc32(bytes));
      }),
    );
  });

  it("for many pieces one after the other", () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 300 }), { maxLength: 30 }), (pieces) => {
        const joined = pieces.reduce((crc, piece) => joinCrc(crc, crc32(piece), crcShift(piece.length)), 0);
        expect(joined).toBe(crc32(Buffer.concat(pieces)));
      }),
    );
  });

  it.each([0, 1, 255, 256, 65_535, 65_536, 1_000_003, 3 * 2 ** 22 + 1])("for a tail of %d bytes", (length) => {
    const head = Buffer.from("head");
    const tail = Buffer.alloc(length, 7);
    expect(joinCrc(crc32(head), crc32(tail), crcShift(length))).toBe(crc32(Buffer.concat([head, tail])));
  });

  it("for lengths that are put together, beyond 32 bits too", () => {
    // x^(8·(a+b)) follows from either order of appending; no need for gigabytes of bytes.
    const lengths = fc.integer({ min: 0, max: 2 ** 45 });
    fc.assert(
      fc.property(lengths, lengths, fc.nat(0xffff_ffff), (a, b, crc) => {
        expect(joinCrc(joinCrc(crc, 0, crcShift(a)), 0, crcShift(b))).toBe(joinCrc(crc, 0, crcShift(a + b)));
      }),
    );
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

import {
  Binary,
  BSONRegExp,
  Code,
  DBRef,
  Decimal128,
  Double,
  Int32,
  Long,
  MaxKey,
  MinKey,
  ObjectId,
  serialize,
  Timestamp,
} from "bson";
import { describe, expect, it } from "vitest";
import { decodeDoc, pickFields } from "@/embedded/values/bson-bytes";

/** One of every type that a stored document can hold; what is picked may stand behind any of them. */
const values = {
  double: new Double(1.5),
  text: "text\u0000with zero, ü and 🚗",
  empty: "",
  document: { inner: { deep: [1, { a: null }] }, wanted: "not this one" },
  list: [1, "two", [3]],
  binary: new Binary(Buffer.from([0, 1, 2])),
  id: new ObjectId(),
  flag: true,
  time: new Date(0),
  nothing: null,
  regex: new BSONRegExp("^a\\d$", "i"),
  reference: new DBRef("other", new ObjectId()),
  code: new Code("return 1"),
  scoped: new Code("return x", { x: 1 }),
  int: new Int32(-1),
  timestamp: Timestamp.fromBits(1, 2),
  long: Long.fromString("9007199254740993"),
  decimal: Decimal128.fromString("1.10"),
  smallest: new MinKey(),
  greatest: new MaxKey(),
};
const bytes = Buffer.from(serialize({ ...values, wanted: "this one", ünïcode: 1 }));

describe("pickFields", () => {
  it.each([...Object.keys(values), "wanted", "ünïcode"])("reads %s as a whole decoding does", (name) => {
    expect(pickFields(bytes, new Set([name]))).toEqual({ [name]: decodeDoc(bytes)[name] });
  });

  it("gives several in the order of the document, and nothing for names that are not there", () =>
    expect(Object.entries(pickFields(bytes, new Set(["wanted", "flag", "want", "wanted2", "inner"])))).toEqual([
      ["flag", true],
      ["wanted", "this one"],
    ]));

  it("reads what a set holds now", () => {
    const names = new Set(["flag"]);
    expect(pickFields(bytes, names)).toEqual({ flag: true });
    expect(pickFields(bytes, names.add("empty"))).toEqual({ flag: true, empty: "" });
  });

  it("reads the old types of bytes, too", () => {
    // Undefined, symbol and database pointer: no driver writes them any more.
    const old = Buffer.from([
      ...[6, 0x75, 0],
      ...[14, 0x73, 0, 2, 0, 0, 0, 0x61, 0],
      ...[12, 0x70, 0, 2, 0, 0, 0, 0x61, 0, ...new ObjectId().id],
      ...[16, 0x77, 0, 7, 0, 0, 0],
    ]);
    const whole = Buffer.concat([Buffer.from([old.length + 5, 0, 0, 0]), old, Buffer.from([0])]);
    expect(pickFields(whole, new Set(["w"]))).toEqual({ w: new Int32(7) });
  });

  it.each([
    ["an unknown type", [0x42, 0x61, 0, 1]],
    ["a text longer than the document", [2, 0x61, 0, 200, 0, 0, 0, 0x61, 0]],
    ["a length below zero", [3, 0x61, 0, 0xff, 0xff, 0xff, 0xff]],
    ["a name without an end", [16, 0x61, 0x61, 0x61]],
  ])("refuses %s", (_, element) => {
    const whole = Buffer.concat([Buffer.from([element.length + 5, 0, 0, 0]), Buffer.from(element), Buffer.from([0])]);
    expect(() => pickFields(whole, new Set(["z"]))).toThrow(/bytes that are not BSON/);
  });
});

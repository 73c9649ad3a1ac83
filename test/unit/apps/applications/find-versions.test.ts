import { describe, expect, it } from "vitest";
import { buildCursor, buildListOrder, escapeRegex, parseCursor } from "@/lib/apps/applications/find-versions";

describe("cursors of the application list", () => {
  it.each([
    ["id", { id: 7, value: 7 }],
    ["-name", { id: 7, value: 'ü"\u2028', offset: 0 }],
    ["updated_ts", { id: 7, value: 1_700_000_000_000, offset: 49 }],
  ] as const)("of order %s come back as they were", (sort, position) => {
    expect(parseCursor(sort, buildCursor(sort, position))).toEqual(position);
  });

  it.each([
    ["another order", buildCursor("-id", { id: 1, value: 1 })],
    ["a text where a number belongs", buildCursor("id", { id: 1, value: "x" })],
    ["a time beyond all times", buildCursor("id", { id: 1, value: 1e300 })],
    ["an operator of the database", Buffer.from('["id",1,{"$gt":""},0]').toString("base64url")],
    ["no JSON", "e30x"],
    ["an object", Buffer.from('{"$gt":1}').toString("base64url")],
    ["nothing", ""],
    ["no text", undefined],
  ])("that hold %s are none", (_, cursor) => expect(parseCursor("id", cursor)).toBeNull());
});

it("orders by a stored member and a direction", () => {
  expect(buildListOrder("-updated_ts")).toEqual({ field: "updatedAt", direction: -1 });
  expect(buildListOrder("name")).toEqual({ field: "nameKey", direction: 1 });
});

it("takes every character of a search literally", () => {
  const text = "a.b*c+d?(e)[f]{g}|^$\\h-/";
  expect(new RegExp(`^${escapeRegex(text)}$`).test(text)).toBe(true);
  expect(new RegExp(escapeRegex(".")).test("x")).toBe(false);
});

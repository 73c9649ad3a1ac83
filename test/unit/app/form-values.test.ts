import { describe, expect, it } from "vitest";
import { z } from "zod";
import { deepEqual, listDifferences } from "@/app/_components/form/deep-equal";
import { describeValue } from "@/app/_components/form/describe-value";
import { readCurrent, toFieldErrors } from "@/app/_components/form/use-save";
import { describeProblem } from "@/app/_components/feedback/problem";
import { changeAddress } from "@/app/_components/list/list-address";
import { describeAge, formatMoment } from "@/app/_components/ui/moment";
import { ApiError } from "@/lib/platform/http/client";

describe("comparing values", () => {
  it.each([
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }, true],
    [{ a: 1, b: 2 }, { b: 2, a: 1 }, true],
    [{ a: undefined }, {}, true],
    [[1, 2], [2, 1], false],
    [[1], { 0: 1 }, false],
    [null, {}, false],
    ["1", 1, false],
  ])("%j and %j: %s", (one, other, isEqual) => expect(deepEqual(one, other)).toBe(isEqual));

  it("names the members that differ", () =>
    expect(listDifferences({ a: 1, b: [1], c: null }, { a: 1, b: [2], d: 4 })).toEqual(["b", "c", "d"]));
});

it.each([
  [null, "(empty)"],
  ["", "(empty)"],
  [true, "yes"],
  [0, "0"],
  [["FULL", "LIMITED"], "FULL, LIMITED"],
  [[], "none"],
  [{}, "none"],
  [[{ a: 1 }], '[{"a":1}]'],
  [{ a: 1, b: ["x", "y"] }, "a: 1; b: x, y"],
  ["x".repeat(500), `${"x".repeat(400)}…`],
])("describes %j as %s", (value, text) => expect(describeValue(value)).toBe(text));

it("sorts errors by the member they are about, and keeps the first of each", () => {
  const schema = z.object({
    name: z.string().min(2, "too short").regex(/a/, "no a"),
    rpcs: z.array(z.object({ n: z.int() })),
  });
  const { error } = schema.safeParse({ name: "x", rpcs: [{ n: 1 }, { n: "y" }] });
  expect(toFieldErrors(error!)).toEqual({ name: "too short", "rpcs.1.n": expect.stringContaining("expected") });
});

it.each([
  ["name", "name must not be blank", "name", "Must not be blank"],
  ["days", "days must be an integer from 0 to 255", "days", "Must be a whole number from 0 to 255"],
  [
    "counts.NONE",
    "counts.NONE must be an integer from 0 to 255",
    "counts.NONE",
    "Must be a whole number from 0 to 255",
  ],
  ["name", "A group needs name and rpcs: name is longer than 255 bytes", "name", "Is longer than 255 bytes"],
  ["pauses", "pauses[1] must be an integer from 1 to 9", "pauses.1", "Must be a whole number from 1 to 9"],
  [
    "properties",
    "properties.url.version must not be longer than 9 bytes",
    "properties.url.version",
    "Must not be longer than 9 bytes",
  ],
  ["name", "A name is needed", "name", "A name is needed"],
  ["", "name must not be blank", "", "name must not be blank"],
])("U13: of %s, %s: stands at %s without the member: %s", (path, message, place, words) => {
  const schema = z.unknown().superRefine((_, context) => {
    context.addIssue({ code: "custom", path: path === "" ? [] : path.split("."), message });
  });
  expect(toFieldErrors(schema.safeParse({}).error!)).toEqual({ [place]: words });
});

it.each([
  ["at must be in the future", 400, "The time must be in the future"],
  ["name must not hold U+202E right-to-left override", 400, "The name must not hold U+202E right-to-left override"],
  ["Service unavailable", 503, "The server cannot reach its database right now. Try again in a moment."],
  ["apps must hold at most 998 ids", 400, "apps must hold at most 998 ids"],
])("U13: says %s (%i) as %s", (message, status, words) => {
  expect(describeProblem(new ApiError(message, status, null, null))).toBe(words);
});

it.each([
  [{ current: { id: 7, name: "a" } }, { id: 7, name: "a" }],
  [{ current: null }, null],
  [{ current: { name: "a" } }, null],
  [{}, null],
  [null, null],
])("reads the version of others out of %j", (data, current) => expect(readCurrent(data)).toEqual(current));

it("changes an address, and begins with the first page unless it is the page that changes", () => {
  const query = new URLSearchParams("q=a&after=x&state=modified");
  expect(changeAddress("/groups", query, { q: "b", state: null })).toBe("/groups?q=b");
  expect(changeAddress("/groups", query, { after: "y" })).toBe("/groups?q=a&after=y&state=modified");
  expect(changeAddress("/groups", new URLSearchParams("q=a"), { q: "" })).toBe("/groups");
});

describe("times", () => {
  const now = Date.UTC(2026, 4, 12, 12);
  const before = (seconds: number) => describeAge(new Date(now - seconds * 1000).toISOString(), now);
  it.each([
    [5, "just now"],
    [60, "1 minute ago"],
    [7200, "2 hours ago"],
    [86_400, "yesterday"],
    [6 * 86_400, "6 days ago"],
    [15 * 86_400, "2 weeks ago"],
    [400 * 86_400, "last year"],
    [-7200, "in 2 hours"],
    [-89.99 * 86_400, "in 3 months"],
    [-1.9 * 3600, "in 2 hours"],
    [1.9 * 3600, "1 hour ago"],
  ])("%i seconds before: %s", (seconds, words) => expect(before(seconds)).toBe(words));

  it("has one form for the exact time", () => {
    expect(formatMoment("2026-03-09T14:05:11.123Z", "utc")).toBe("2026-03-09 14:05:11 UTC");
    expect(formatMoment("2026-03-09T14:05:11.123Z", "local")).toMatch(/^2026-03-\d\d \d\d:\d\d:11 \S+$/);
    expect(formatMoment("never", "utc")).toBe("never");
  });
});

import { describe, expect, it } from "vitest";
import { listWorsened } from "@/lib/fleet/figures/behaviour";
import { rank, sumBuckets, tell, tellShare, total } from "@/lib/fleet/figures/counts";
import { fleetPageQuery, fleetQuery } from "@/lib/fleet/figures/schema";
import { buildPageScope, buildScope, buildScopeSince, listPieces, listSteps } from "@/lib/fleet/figures/scope";
import { parseInput } from "@/lib/platform/http/read/parse-input";

/* Figures of the fleet (`fleet.md` S2, S8 to S10), without a database. */

const now = Date.parse("2026-03-02T12:20:00Z");
const scopeOf = (query: Readonly<Record<string, string>>) => buildScope(parseInput(fleetQuery, query), now);
const range = ({ from, to, step }: { from: Date; to: Date; step: string }) => [
  from.toISOString(),
  to.toISOString(),
  step,
];

it.each([
  [0, 0],
  [0.2, null],
  [1, null],
  [9.4, null],
  [9.5, 10],
  [10, 10],
  [1_234.56, 1_235],
])("S2: tells %d as %j", (count, told) => expect(tell(count)).toBe(told));

it("S2: a share is told only of parts and wholes that are", () => {
  expect(tellShare(30, 90)).toBe(0.3333);
  expect(tellShare(0, 90)).toBe(0);
  expect([tellShare(9, 90), tellShare(0, 0), tellShare(3, 5)]).toEqual([null, null, null]);
  // Parts of one sample may exceed the whole that was counted.
  expect(tellShare(91, 90)).toBe(1);
});

it("S2: sums are of true values, and ranks go by them", () => {
  const hour = (at: string, a: number, b: number) => ({
    at: new Date(at),
    values: new Map([
      ["a", { count: a }],
      ["b", { count: b }],
    ]),
  });
  const sums = sumBuckets([hour("2026-03-01T10:00Z", 4.5, 1), hour("2026-03-01T11:00Z", 6, 2)]);
  expect(rank(sums).map(({ value, count }) => [value, count])).toEqual([
    ["a", 10.5],
    ["b", 3],
  ]);
  expect(total(sums)).toBe(13.5);
});

describe("S10: time ranges", () => {
  it.each([
    ["nothing: the last 24 hours", {}, "2026-03-01T13:00", "2026-03-02T12:20", "hour"],
    ["days", { step: "day" }, "2026-02-01T00:00", "2026-03-02T12:20", "day"],
    ["7 days", { from: "2026-02-23T12:20:00Z" }, "2026-02-23T12:00", "2026-03-02T12:20", "hour"],
    ["more than 7 days", { from: "2026-02-23" }, "2026-02-23T00:00", "2026-03-02T12:20", "day"],
    ["whole days", { from: "2026-02-27", to: "2026-02-28" }, "2026-02-27T00:00", "2026-03-01T00:00", "hour"],
    ["long ago", { from: "2025-03-01", to: "2025-03-01" }, "2025-03-01T00:00", "2025-03-02T00:00", "day"],
    ["long ago, without from", { to: "2025-03-01" }, "2025-01-31T00:00", "2025-03-02T00:00", "day"],
    [
      "a part, older than its hours",
      { country: "DE", to: "2026-02-20" },
      "2026-01-22T00:00",
      "2026-02-21T00:00",
      "day",
    ],
  ])("%s", (_, query, from, to, step) =>
    expect(range(scopeOf(query))).toEqual([`${from}:00.000Z`, `${to}:00.000Z`, step]),
  );

  it.each([
    [{ software: "1", country: "DE" }, /^country cannot be combined with software/],
    [{ from: "yesterday" }, /^from must be a time/],
    [{ step: "minute" }, /^step must be one of hour, day/],
    [{ environment: "test" }, /^environment must be one of/],
    [{ from: "2026-03-02", to: "2026-03-01" }, /^from must be before to/],
    [{ from: "2023-03-02" }, /^from must be at most 730 days/],
    [{ from: "2025-11-01", step: "hour" }, /^step must be day: hours are kept for 90 days/],
    [{ from: "2026-02-20", step: "hour", software: "1" }, /^step must be day: hours of a software are kept for 8 days/],
    [{ from: "2025-11-01", country: "DE" }, /^from is too early: days of a country are kept for 100 days/],
    [{ from: "2024-02-20", to: "2024-03-01" }, /^from is too early: days are kept for 730 days/],
  ])("refuses %j and names the parameter", (query, message) => expect(() => scopeOf(query)).toThrow(message));

  it("steps begin at the borders of days and months in UTC", () => {
    const steps = listSteps(scopeOf({ from: "2026-02-27", to: "2026-03-01T00:30:00Z", step: "day" }));
    expect(steps.map((at) => at.toISOString().slice(0, 10))).toEqual(["2026-02-27", "2026-02-28", "2026-03-01"]);
    expect(listSteps(scopeOf({}))).toHaveLength(24);
  });

  it.each([
    ["24h", 24],
    ["7d", 168],
    ["30d", 30],
    ["90d", 90],
  ] as const)("S8: the page shows %s in %d steps, the current one last", (name, count) => {
    const scope = buildPageScope(fleetPageQuery.parse({ range: name, software: "SYNC" }), now);
    const steps = listSteps(scope);
    expect(steps).toHaveLength(count);
    expect(steps.at(-1)?.toISOString()).toBe(
      scope.step === "hour" ? "2026-03-02T12:00:00.000Z" : "2026-03-02T00:00:00.000Z",
    );
  });

  it("sums read each time once: whole days, and hours before and after", () => {
    const pieces = (query: Readonly<Record<string, string>>) =>
      listPieces(scopeOf(query)).map(({ unit, from, to }) => [
        unit,
        from.toISOString().slice(5, 16),
        to.toISOString().slice(5, 16),
      ]);
    expect(pieces({ from: "2026-02-26T22:10:00Z" })).toEqual([
      ["hour", "02-26T22:00", "02-27T00:00"],
      ["day", "02-27T00:00", "03-02T00:00"],
      ["hour", "03-02T00:00", "03-02T12:20"],
    ]);
    expect(pieces({})).toEqual([["hour", "03-01T13:00", "03-02T12:20"]]);
    expect(pieces({ from: "2026-03-01", to: "2026-03-01" })).toEqual([["day", "03-01T00:00", "03-02T00:00"]]);
  });

  it("S9: since a release: in hours for a week, and the last 90 days of a long time", () => {
    const since = (at: string) =>
      range(buildScopeSince(Date.parse(at), "production", now)).map((text) => text.slice(0, 13));
    expect(since("2026-03-01T10:40:00Z")).toEqual(["2026-03-01T10", "2026-03-02T12", "hour"]);
    expect(since("2026-02-20T10:40:00Z")).toEqual(["2026-02-20T00", "2026-03-02T12", "day"]);
    expect(since("2025-01-01T00:00:00Z")).toEqual(["2025-12-03T00", "2026-03-02T12", "day"]);
  });
});

it("S8: whatever is wrong in the page's address gets its default; software replaces country", () => {
  expect(fleetPageQuery.parse({ range: "1y", environment: "x", country: ["DE"] })).toEqual({
    ...{ range: "7d", environment: "production", software: undefined, country: undefined },
  });
  expect(fleetPageQuery.parse({ software: "SYNC 4", country: "DE" })).toMatchObject({ country: undefined });
});

describe("S9: apps whose rejected calls rose more than threefold since a release", () => {
  const app = (reports: number, rejected: number) => new Map([["app", { reports, rejected }]]);
  it.each([
    ["more than threefold", app(100, 20), app(100, 61), true],
    ["threefold", app(100, 20), app(100, 60), false],
    ["none before", app(100, 0), app(30, 10), true],
    ["fewer than 10 since", app(100, 0), app(100, 9), false],
    ["fewer than 30 reports before", app(29, 1), app(100, 90), false],
    ["fewer than 30 reports since", app(100, 1), app(29, 90), false],
    ["unknown before", new Map(), app(100, 90), false],
  ])("%s", (_, before, since, isNamed) => expect(listWorsened(before, since)).toHaveLength(isNamed ? 1 : 0));
});

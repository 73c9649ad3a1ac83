import { beforeEach, describe, expect, it } from "vitest";
import * as adoption from "@/app/api/v1/fleet/adoption/route";
import * as apps from "@/app/api/v1/fleet/apps/route";
import * as groups from "@/app/api/v1/fleet/groups/route";
import * as headUnits from "@/app/api/v1/fleet/head-units/route";
import * as requests from "@/app/api/v1/fleet/requests/route";
import { allVehicles, type Cell, type Count, type Dimension } from "@/lib/fleet/dimensions";
import { loadAppSteps } from "@/lib/fleet/figures/apps";
import { loadWorsened } from "@/lib/fleet/figures/behaviour";
import { hasRequests } from "@/lib/fleet/figures/load-values";
import { buildRecentScope } from "@/lib/fleet/figures/scope";
import { loadAppNames } from "@/lib/apps/applications/queries";
import { addCounts } from "@/lib/fleet/stored-counts";
import { fetchQuery, storeApp } from "@/test/support/applications";
import { parseCsv } from "@/test/support/csv";
import { emptyDatabase, withDatabase } from "@/test/support/database";
import { aRequest } from "@/test/support/requests";
import { useSettings } from "@/test/support/settings";

/* The figures of the fleet for programs (`fleet.md` S2, S9, S10). */

withDatabase();
beforeEach(async () => {
  useSettings();
  await emptyDatabase();
});

const routes = { requests, adoption, apps, groups, "head-units": headUnits };
type Name = keyof typeof routes;

const hourMs = 3_600_000;
const hour = (hours: number) => Math.floor(Date.now() / hourMs) * hourMs - hours * hourMs;
const count = (dimension: Dimension, value: string, counters: Count["counters"], cell: Cell = allVehicles): Count => ({
  ...{ environment: "production", cell, dimension, value, counters },
});
const ask = async (name: Name, query = "") => {
  const { status, data, message } = await fetchQuery(routes[name].GET, query);
  expect(message).toBeNull();
  expect(status).toBe(200);
  return data;
};
const csvOf = async (name: Name, query = "?format=csv") => {
  const answer = await routes[name].GET(aRequest(`/api/v1/fleet/${name}${query}`));
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toMatch(/^attachment; filename="fleet-[\w-]+\.csv"$/);
  return parseCsv((await answer.text()).replace("\uFEFF", ""));
};

it("S10: requests by step and kind; the share that was read; null from 1 to 9", async () => {
  await addCounts(hour(1), [
    count("answers", "table", { count: 120 }),
    count("answers", "repaired", { count: 10 }),
    count("answers", "refused", { count: 6 }),
    count("sample", "requests", { answered: 130, read: 52 }),
  ]);
  await addCounts(hour(0), [count("answers", "refused", { count: 6 })]);
  const { steps, ...figures } = await ask("requests");
  expect(figures).toMatchObject({
    ...{ share: 0.4, step: "hour", environment: "production", software: null, country: null },
    total: { table: 120, repaired: 10, refused: 12 },
  });
  expect(steps).toHaveLength(24);
  expect(steps.slice(-3).map(({ at: _, ...answers }: { at: string }) => answers)).toEqual([
    { table: 0, repaired: 0, refused: 0 },
    { table: 120, repaired: 10, refused: null },
    { table: 0, repaired: 0, refused: null },
  ]);
  expect(steps.at(-1).at).toBe(new Date(hour(0)).toISOString());
  expect((await csvOf("requests")).at(-2)).toEqual([new Date(hour(1)).toISOString(), "120", "10", ""]);
  expect((await ask("requests", "?environment=staging")).total).toEqual({ table: 0, repaired: 0, refused: 0 });
});

it("S10: a part of the fleet counts the requests that were read, and no refusals", async () => {
  const cell = { of: "software", value: "SYNC 4" } as const;
  await addCounts(hour(1), [
    count("answers", "table", { count: 120 }),
    count("releases", "7", { count: 40.4 }, cell),
    count("releases", "unknown", { count: 12 }, cell),
  ]);
  expect(await ask("requests", "?software=SYNC%204")).toMatchObject({
    ...{ software: "SYNC 4", total: { table: 52, repaired: null, refused: null } },
  });
  expect((await ask("requests", "?country=DE")).total).toEqual({ table: 0, repaired: 0, refused: 0 });
});

it("S4, S10: adoption by release, the newest first and unknown last; what is no number is unknown", async () => {
  await addCounts(hour(2), [
    count("releases", "9", { count: 20 }),
    count("releases", "10", { count: 60 }),
    count("releases", "unknown", { count: 15 }),
    count("releases", "other", { count: 5 }),
  ]);
  await addCounts(hour(1), [count("releases", "9", { count: 4 })]);
  const { releases, steps } = await ask("adoption");
  expect(releases).toEqual([
    { release: 10, count: 60, share: 0.5769 },
    { release: 9, count: 24, share: 0.2308 },
    { release: null, count: 20, share: 0.1923 },
  ]);
  expect(steps.at(-2).releases).toEqual([{ release: 9, count: null }]);
  expect((await csvOf("adoption")).slice(1)).toEqual([
    [new Date(hour(2)).toISOString(), "10", "60"],
    [new Date(hour(2)).toISOString(), "9", "20"],
    [new Date(hour(2)).toISOString(), "unknown", "20"],
    [new Date(hour(1)).toISOString(), "9", ""],
  ]);
});

it("S10: apps by how many requests name them, with usage and unknown ids; formulas are defused in CSV", async () => {
  await storeApp("uuid-1", "ACCEPTED", { name: "Pigeonpost" });
  const usage = {
    full: 1_000,
    limited: 50,
    background: 0,
    none: 3,
    selections: 70,
    rejected: 25,
    refused: 2,
    removed: 0,
  };
  await addCounts(hour(1), [
    count("releases", "1", { count: 200 }),
    count("apps", "uuid-1", { own: 80, default: 15, blocked: 5, reports: 50, ...usage }),
    count("apps", "uuid-2", { own: 40, reports: 9, ...usage }),
    count("unknownApps", "=cmd()", { count: 30 }),
    count("unknownApps", "rare", { count: 2 }),
  ]);
  const figures = await ask("apps");
  expect(figures.requests).toBe(200);
  expect(figures.apps).toEqual([
    {
      ...{ uuid: "uuid-1", name: "Pigeonpost", count: 100, share: 0.5, own: 80, default: 15, blocked: null },
      usage: {
        ...{ reports: 50, full: 1_000, limited: 50, background: 0, none: null, selections: 70 },
        ...{ rejected: 25, refused: null, removed: 0, rejected_per_report: 0.5 },
      },
    },
    expect.objectContaining({
      uuid: "uuid-2",
      name: null,
      usage: expect.objectContaining({ reports: null, full: null }),
    }),
  ]);
  expect(figures.unknown).toEqual([
    { id: "=cmd()", count: 30 },
    { id: "rare", count: null },
  ]);
  const lines = await csvOf("apps");
  expect(new Set(lines.map(({ length }) => length)).size).toBe(1);
  expect(lines.slice(-2).map(([kind, id, , counted]) => [kind, id, counted])).toEqual([
    ["unknown", "'=cmd()", "30"],
    ["unknown", "rare", ""],
  ]);
});

it("S10: consents by group; a side of fewer than 10 hides their share", async () => {
  await addCounts(hour(1), [
    count("groups", "Location-1", { yes: 90, no: 30 }),
    count("groups", "Vehicle-1", { yes: 90, no: 3 }),
  ]);
  expect((await ask("groups")).groups).toEqual([
    { name: "Location-1", yes: 90, no: 30, share: 0.75 },
    { name: "Vehicle-1", yes: 90, no: null, share: null },
  ]);
  expect((await csvOf("groups"))[2]).toEqual(["Vehicle-1", "90", "", ""]);
});

it("S10: head units and phones by value", async () => {
  await addCounts(hour(1), [
    count("software", "SYNC 4", { count: 30 }),
    count("software", "SYNC 3", { count: 10 }),
    count("countries", "DE", { count: 7 }),
    count("systems", "Android 15", { count: 12 }),
  ]);
  expect(await ask("head-units")).toMatchObject({
    software: [
      { value: "SYNC 4", count: 30, share: 0.75 },
      { value: "SYNC 3", count: 10, share: 0.25 },
    ],
    countries: [{ value: "DE", count: null, share: null }],
    hardware: [],
    systems: [{ value: "Android 15", count: 12, share: 1 }],
  });
  expect((await csvOf("head-units")).slice(1)).toContainEqual(["countries", "DE", "", ""]);
});

it("S10: days and hours of a range count once each", async () => {
  for (let hours = 0; hours < 6 * 24; hours += 5)
    await addCounts(hour(hours), [count("software", "SYNC 4", { count: 10 })]);
  const from = new Date(hour(6 * 24 - 1)).toISOString();
  expect((await ask("head-units", `?from=${from}`)).software).toEqual([{ value: "SYNC 4", count: 290, share: 1 }]);
  expect((await ask("head-units", `?from=${from}&step=day`)).software[0].count).toBe(290);
});

describe.each(Object.keys(routes) as Name[])("S10: %s", (name) => {
  it("refuses what is wrong, and names the parameter", async () => {
    for (const [query, message] of [
      ["?software=1&country=DE", /^country cannot be combined with software/],
      ["?step=month", /^step must be one of hour, day/],
      ["?from=2026-03-02&to=2026-03-01", /^from must be before to/],
      ["?format=xml", /^format must be one of json, csv/],
    ] as const) {
      const { status, message: told } = await fetchQuery(routes[name].GET, query);
      expect([query, status]).toEqual([query, 400]);
      expect(told).toMatch(message);
    }
  });

  it("answers a server without vehicles, as JSON and CSV", async () => {
    expect(await ask(name)).toMatchObject({ share: null, step: "hour" });
    expect((await csvOf(name))[0]?.length).toBeGreaterThan(2);
  });
});

describe("S9", () => {
  it("an app by day, without what few vehicles report", async () => {
    const now = Date.now();
    await addCounts(now, [
      count("releases", "1", { count: 100 }),
      count("apps", "uuid-1", { own: 50, reports: 20, rejected: 40 }),
    ]);
    await addCounts(now - 24 * hourMs, [count("apps", "uuid-1", { own: 50, reports: 5, rejected: 40 })]);
    const what = { environment: "production", cell: allVehicles, step: "day" } as const;
    const figures = await loadAppSteps("uuid-1", buildRecentScope(what, 30, now));
    expect(figures.total).toMatchObject({ count: 100, share: 1, usage: { reports: 25, rejected: 80 } });
    expect(figures.steps.slice(-2).map(({ count: named, rejected }) => [named, rejected])).toEqual([
      [50, null],
      [50, 40],
    ]);
  });

  it("names apps that got worse since a release; the hour of the release counts for none", async () => {
    await storeApp("uuid-1", "ACCEPTED", { name: "Pigeonpost" });
    const released = hour(5) + 600_000;
    const reports = (rejected: number) => [count("apps", "uuid-1", { own: 1, reports: 40, rejected })];
    await addCounts(hour(9), reports(8));
    await addCounts(hour(5), reports(4_000));
    await addCounts(hour(3), reports(80));
    expect(await loadWorsened(released, Date.now(), loadAppNames)).toEqual([
      { uuid: "uuid-1", name: "Pigeonpost", before: 0.2, since: 2 },
    ]);
    expect(await loadWorsened(hour(2), Date.now(), loadAppNames)).toEqual([]);
  });

  it("S7: a server is new until a vehicle asks, in production or staging", async () => {
    expect(await hasRequests(Date.now())).toBe(false);
    await addCounts(hour(50), [{ ...count("answers", "table", { count: 1 }), environment: "staging" }]);
    expect(await hasRequests(Date.now())).toBe(true);
  });
});

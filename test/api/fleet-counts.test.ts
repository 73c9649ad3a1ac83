import { Collection, MongoNetworkError } from "mongodb";
import mongoose from "mongoose";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { CountStore } from "@/lib/fleet/count-store";
import { allVehicles, type Cell, type Dimension, type Unit } from "@/lib/fleet/dimensions";
import { startHandingOver } from "@/lib/fleet/hand-over";
import { keysText, type ReleaseKeys } from "@/lib/fleet/release-key";
import { FleetSampler } from "@/lib/fleet/sampler";
import { addCounts, loadBuckets, removeOldCounts } from "@/lib/fleet/stored-counts";
import { noteUnexpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { log } from "@/lib/platform/log";
import { FleetBatchModel } from "@/models/fleet-batch";
import { FleetCountModel } from "@/models/fleet-count";
import { FleetReleaseKeyModel } from "@/models/fleet-release-key";
import { ReleaseModel } from "@/models/release";
import { RolloutModel } from "@/models/rollout";
import { aCount } from "@/test/support/builders";
import { emptyDatabase, withDatabase } from "@/test/support/database";

/* Counts on their way to the database, and there (`fleet.md` S4, S5). */

withDatabase();
beforeEach(() => emptyDatabase());
afterEach(() => {
  vi.restoreAllMocks();
  vi.useRealTimers();
});

const [hour, day] = [3_600_000, 86_400_000];
const noon = Date.parse("2026-03-01T12:00:00.000Z");
async function stored(unit: Unit = "hour", dimension: Dimension = "software", cell: Cell = allVehicles) {
  const place = { environment: "production", dimension, cell } as const;
  const buckets = await loadBuckets(unit, place, new Date(0), new Date(noon + 400 * day));
  return buckets.map(({ at, values }) => [at.toISOString().slice(0, 13), Object.fromEntries(values)]);
}

it("S5: counts add up by hour and by day, and in the cells of a part of the vehicles", async () => {
  const cell = { of: "country", value: "WAEGB" } as const;
  await addCounts(noon, [aCount(), aCount({ counters: { count: 2 } }), aCount({ cell }), aCount({ value: "$x.y" })]);
  await addCounts(noon + hour, [aCount(), aCount({ dimension: "apps", counters: { own: 1, full: 2.5 } })]);
  expect(await stored()).toEqual([
    ["2026-03-01T12", { 1: { count: 3 }, "$x.y": { count: 1 } }],
    ["2026-03-01T13", { 1: { count: 1 } }],
  ]);
  expect(await stored("day")).toEqual([["2026-03-01T00", { 1: { count: 4 }, "$x.y": { count: 1 } }]]);
  expect(await stored("hour", "software", cell)).toEqual([["2026-03-01T12", { 1: { count: 1 } }]]);
  expect(await stored("day", "apps")).toEqual([["2026-03-01T00", { 1: { own: 1, full: 2.5 } }]]);
});

it("S5: the 1,001st value of a dimension is other, from whichever process it comes", async () => {
  const values = (from: number, to: number) =>
    Array.from({ length: to - from }, (_, at) => aCount({ value: `v${from + at}` }));
  await addCounts(noon, values(0, 600));
  await addCounts(noon, values(300, 1_200));
  const [[, counted] = []] = await stored();
  const all = counted as Record<string, { count: number }>;
  expect(Object.keys(all)).toHaveLength(1_001);
  expect([all["other"], all["v599"], all["v600"]]).toEqual([{ count: 200 }, { count: 2 }, { count: 1 }]);
});

it("S5: hours go after 90 days, those of a part of the vehicles after 8; days after two years, those of a part after 100", async () => {
  const part: Cell = { of: "software", value: "1" };
  for (const age of [0, 9, 91, 101, 731])
    await addCounts(noon - age * day, [aCount(), aCount({ cell: part })], `${age}`);
  await FleetBatchModel.updateOne({ _id: "0" }, { at: new Date(noon - 2 * day) });
  await removeOldCounts(noon);
  const hours = async (...place: Parameters<typeof stored>) => (await stored(...place)).length;
  expect([
    await hours(),
    await hours("hour", "software", part),
    await hours("day"),
    await hours("day", "software", part),
  ]).toEqual([2, 1, 4, 3]);
  expect(await FleetBatchModel.countDocuments({ _id: "0" })).toBe(0);
});

const lost = () => Promise.reject(new MongoNetworkError("connection closed"));
const aBatch = (id = "a", counts = [aCount()], at = noon) => ({ id, at, counts });

it("S5: a database that goes away in the middle of a batch, or before it tells of the commit, counts it once", async () => {
  const store = new CountStore(() => noon);
  vi.spyOn(Collection.prototype, "bulkWrite").mockImplementationOnce(lost);
  expect(await store.take(aBatch())).toBe(false);
  expect(await stored()).toEqual([]);
  const transaction = mongoose.connection.transaction.bind(mongoose.connection);
  vi.spyOn(mongoose.connection, "transaction").mockImplementationOnce(async (...given) => {
    await transaction(...given);
    return lost();
  });
  expect(await store.take(aBatch())).toBe(false);
  expect(await Promise.all([store.take(aBatch()), store.take(aBatch())])).toEqual([true, true]);
  // Another console, after this one was killed before it could tell.
  expect(await new CountStore(() => noon).take(aBatch())).toBe(true);
  expect(await stored()).toEqual([["2026-03-01T12", { 1: { count: 1 } }]]);
  expect(await store.take(aBatch("b"))).toBe(true);
  expect(await stored()).toEqual([["2026-03-01T12", { 1: { count: 2 } }]]);
});

it("S5: two instances store at the same time", async () => {
  const batches = Array.from({ length: 20 }, (_, at) => aBatch(`${at}`, [aCount(), aCount({ value: `${at}` })]));
  const [one, other] = [new CountStore(() => noon), new CountStore(() => noon)];
  await Promise.all(batches.map((batch, at) => (at % 2 === 0 ? one : other).take(batch)));
  // What did not come through goes again, as from a vehicle worker.
  for (const batch of batches) await expect.poll(() => one.take(batch)).toBe(true);
  expect(await stored()).toMatchObject([["2026-03-01T12", { 1: { count: 21 }, 19: { count: 1 } }]]);
});

it("S5: nothing is stored in a database that is not the expected one", async () => {
  noteUnexpectedDatabase(true);
  const store = new CountStore(() => noon);
  expect(await store.take(aBatch())).toBe(false);
  noteUnexpectedDatabase(false);
  expect(await store.take(aBatch())).toBe(true);
});

it("S6: what no process hands over is dropped, and an hour gets 50 cells of a kind", async () => {
  vi.spyOn(log, "warn").mockReturnValue();
  const store = new CountStore(() => noon);
  for (const wrong of [
    null,
    { id: "x", at: noon, counts: [aCount({ counters: { "a.b": 1 } })] },
    { id: "x", at: noon, counts: [aCount({ counters: { count: Infinity } })] },
    { id: "x", at: noon, counts: [{ ...aCount(), dimension: "vin" }] },
  ])
    expect(await store.take(wrong)).toBe(true);
  const cells = Array.from({ length: 60 }, (_, at) => aCount({ cell: { of: "country", value: `${at}` } }));
  await store.take(aBatch("a", cells));
  expect(await FleetCountModel.countDocuments({ cellValue: { $ne: null } })).toBe(100);
  expect(await FleetCountModel.countDocuments()).toBe(100);
});

const keys = (whole: string, withoutVehicleData: string): ReleaseKeys => ({ whole, withoutVehicleData });
async function storeRelease(_id: number, revision: number, at = new Date()) {
  await ReleaseModel.create({ _id, kind: "release", at, revision, items: [] });
}
const releasesOf = async (store: CountStore, id: string, ...all: readonly ReleaseKeys[]) => {
  await store.take(
    aBatch(
      id,
      all.map((one) => aCount({ dimension: "releases", value: keysText(one) })),
    ),
  );
  const [[, counted] = []] = await stored("hour", "releases");
  return counted;
};

it("S4: keys count as the newest release that served them, others as unknown", async () => {
  const store = new CountStore(() => noon);
  await storeRelease(1, 10);
  await storeRelease(2, 20);
  store.noteServed(10, [keys("w1", "g1"), keys("old", "g0")]);
  // A revision without a release, e.g. a new RPC specification: it belongs to the release before.
  store.noteServed(15, [keys("w1b", "g1")]);
  store.noteServed(20, [keys("w2", "g2"), keys("old", "g0")]);
  expect(
    await releasesOf(
      store,
      "a",
      keys("w1", "g1"),
      keys("w1b", "g1"),
      keys("w2", "g2"),
      keys("old", "g0"),
      keys("x", "y"),
    ),
  ).toEqual({ 1: { count: 2 }, 2: { count: 2 }, unknown: { count: 1 } });
  // Without vehicle data, or with other one, groups and messages decide.
  expect(await releasesOf(store, "b", keys("factory", "g2"))).toMatchObject({ 2: { count: 3 } });
  // A server that starts again serves the same, and takes no key away from a newer release.
  store.noteServed(10, [keys("old", "g0")]);
  expect(await releasesOf(store, "c", keys("old", "g0"))).toMatchObject({ 2: { count: 4 } });
});

it("O3a: cars are up to date with a release of the last 60 days, and with the one that a rollout keeps in service", async () => {
  for (const [release, days] of [[1, 100] as const, [2, 70] as const, [3, 5] as const])
    await storeRelease(release, release, new Date(noon - days * day));
  const adoptionOf = async (store: CountStore, id: string) => {
    for (const release of [1, 2, 3]) store.noteServed(release, [keys(`w${release}`, `g${release}`)]);
    await releasesOf(store, id, keys("w1", "g1"), keys("w2", "g2"), keys("w3", "g3"), keys("x", "y"));
    await store.take(aBatch(`${id} else`, [aCount({ dimension: "releases", environment: "staging" }), aCount()]));
    return store.adoption;
  };
  expect(await adoptionOf(new CountStore(() => noon), "a")).toEqual({ current: 2, outdated: 1, unknown: 1 });
  await RolloutModel.collection.insertOne({ _id: 1, before: 1, endedAt: new Date(noon - day) } as object);
  expect(await adoptionOf(new CountStore(() => noon), "b")).toEqual({ current: 3, outdated: 0, unknown: 1 });
});

it("S4: keys wait for the database", async () => {
  await storeRelease(1, 1);
  const store = new CountStore(() => noon);
  vi.spyOn(FleetReleaseKeyModel, "bulkWrite").mockImplementationOnce(lost);
  store.noteServed(1, [keys("w", "g")]);
  expect(await releasesOf(store, "a", keys("w", "g"))).toEqual({ 1: { count: 1 } });
});

it("S5: hands over each minute, again what was not stored, and the rest at the end", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const sampler = new FleetSampler({ fleetStatistics: "requests", fleetSamplePerSecond: 50 });
  const store = new CountStore();
  const outcomes: boolean[] = [];
  const handing = startHandingOver(sampler, (batch) => {
    const isAway = outcomes.length === 0;
    void (isAway ? Promise.resolve(false) : store.take(batch)).then((isStored) => {
      outcomes.push(isStored);
      if (isStored) handing.acknowledge(batch.id);
    });
  });
  const observe = () => sampler.observe({ environment: "production", status: 200, repair: null });
  observe();
  for (const wanted of [[false], [false, true, true]]) {
    await vi.advanceTimersByTimeAsync(60_000);
    await expect.poll(() => outcomes).toEqual(wanted);
    observe();
  }
  await handing.stop(60_000);
  const place = { environment: "production", dimension: "answers", cell: allVehicles } as const;
  const days = await loadBuckets("day", place, new Date(0), new Date(Date.now() + 86_400_000));
  expect(days.reduce((sum, { values }) => sum + (values.get("table")?.["count"] ?? 0), 0)).toBe(3);
});

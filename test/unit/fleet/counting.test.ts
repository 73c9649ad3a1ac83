import { setImmediate } from "node:timers/promises";
import { expect, it, onTestFinished, vi } from "vitest";
import { mix, seededRandom } from "@/bench/example-directory/random";
import { maxBatch } from "@/lib/fleet/batch";
import { CellLimit } from "@/lib/fleet/cell-limit";
import { allVehicles, type Count } from "@/lib/fleet/dimensions";
import { Outbox } from "@/lib/fleet/outbox";
import { FleetSampler } from "@/lib/fleet/sampler";
import { Tally } from "@/lib/fleet/tally";
import { TokenBucket } from "@/lib/fleet/token-bucket";
import { compilePolicy } from "@/lib/policy/table/compiled-policy";
import { aCount, aSnapshot, policyOptions } from "@/test/support/builders";
import { sampleRequest } from "@/test/support/vehicle";

/* Counting in a vehicle worker, up to the batches that it hands over (`fleet.md` S3, S5). */

const hour = 3_600_000;

it.each([
  [1, 1000, 60],
  [50, 10, 3000],
  [50, 0.1, 3000],
  [10_000, 10, 6000],
])("S3: %i a second, a request every %f ms: takes %i in a minute, evenly spread", (perSecond, everyMs, wanted) => {
  const bucket = new TokenBucket(perSecond, 0);
  const bySecond = Array.from({ length: 60 }, () => 0);
  for (let now = 0; now < 60_000; now += everyMs)
    if (bucket.take(now)) bySecond[Math.floor(now / 1000)] = (bySecond[Math.floor(now / 1000)] ?? 0) + 1;
  const sum = bySecond.reduce((all, one) => all + one, 0);
  expect(Math.abs(sum - wanted)).toBeLessThanOrEqual(1);
  expect(Math.max(...bySecond) - Math.min(...bySecond)).toBeLessThanOrEqual(1);
});

it("S3: what was not taken gathers for a second at most", () => {
  const bucket = new TokenBucket(50, 0);
  bucket.take(0);
  expect(Array.from({ length: 100 }, () => bucket.take(60_000)).filter(Boolean)).toHaveLength(50);
});

it("S5: a dimension holds 1,000 values; others count as other, and nothing is lost", () => {
  const tally = new Tally();
  for (let at = 0; at < 1_500; at++) tally.addAll("production", allVehicles, [aCount({ value: `v${at}` })], 2);
  tally.add(aCount({ value: "v3" }));
  const counts = tally.take(2_000);
  expect(counts).toHaveLength(1_001);
  expect(counts.find(({ value }) => value === "other")?.counters).toEqual({ count: 1_000 });
  expect(counts.find(({ value }) => value === "v3")?.counters).toEqual({ count: 3 });
  expect([tally.others, tally.isEmpty]).toEqual([500, true]);
});

it("S5: an hour has cells for 50 software and 50 countries", () => {
  const limit = new CellLimit();
  const admitted = (of: "software" | "country", at = 0) =>
    Array.from({ length: 60 }, (_, value) => limit.admits({ of, value: `${value}` }, at)).filter(Boolean).length;
  expect([admitted("software"), admitted("country"), admitted("software"), limit.admits(allVehicles, 0)]).toEqual([
    50,
    50,
    50,
    true,
  ]);
  expect(limit.admits({ of: "software", value: "55" }, hour)).toBe(true);
});

it("S5: batches of 500 go one after the other; the same one until it is acknowledged", () => {
  const outbox = new Outbox();
  for (let at = 0; at < 700; at++) outbox.tally(5).add(aCount({ value: `v${at}` }));
  expect(outbox.next()).toBeNull();
  outbox.seal(10);
  const first = outbox.next();
  outbox.tally(20).add(aCount({ value: "v0" }));
  outbox.seal(30);
  expect(outbox.next()).toBe(first);
  expect(outbox.acknowledge("another")).toBe(false);
  expect(outbox.acknowledge(first?.id ?? "")).toBe(true);
  const second = outbox.next();
  expect([first?.counts.length, second?.counts.length, second?.id === first?.id]).toEqual([maxBatch, 200, false]);
  outbox.acknowledge(second?.id ?? "");
  expect([outbox.next(), outbox.isEmpty]).toEqual([null, false]);
  outbox.seal(40);
  expect(outbox.next()).toMatchObject({ at: 0, counts: [{ value: "v0" }] });
});

it("S5: hours are handed over apart; what waits for more than two hours is dropped", () => {
  const outbox = new Outbox();
  for (const at of [0, hour, 2 * hour, 3 * hour]) outbox.tally(at + 5).add(aCount());
  outbox.seal(3 * hour + 10);
  expect(outbox.dropped).toBe(2);
  const hours = [];
  for (let batch = outbox.next(); batch !== null; batch = outbox.next()) {
    hours.push(batch.at / hour);
    outbox.acknowledge(batch.id);
  }
  expect(hours).toEqual([2, 3]);
  outbox.tally(3 * hour).add(aCount());
  outbox.seal(3 * hour);
  outbox.next();
  outbox.seal(6 * hour);
  expect([outbox.isEmpty, outbox.dropped]).toEqual([true, 3]);
});

const policy = await compilePolicy(aSnapshot(), "production", policyOptions(), () => undefined);
const body = Buffer.from(sampleRequest("1-app"));
const withHardware = (hardware_version: string) =>
  JSON.stringify({ policy_table: { module_meta: { hardware_version } } });
const table = { status: 200, repair: null, side: null } as const;
function aSampler(
  perSecond: number,
  { fleetStatistics = "requests", seed = 7 }: { fleetStatistics?: "requests" | "usage"; seed?: number } = {},
) {
  const clock = { ms: 0 };
  const sampler = new FleetSampler(
    { fleetStatistics, fleetSamplePerSecond: perSecond },
    { elapsed: () => clock.ms, now: () => clock.ms },
    seededRandom(mix(seed)),
  );
  onTestFinished(() => sampler.stop());
  const answer = (sent = body) => {
    sampler.observe({ environment: "production", ...table });
    sampler.offer("production", sent, policy, table);
  };
  const counted = () => {
    sampler.finish();
    sampler.seal();
    const counts: Count[] = [];
    for (let batch = sampler.outbox.next(); batch !== null; batch = sampler.outbox.next()) {
      counts.push(...batch.counts);
      sampler.outbox.acknowledge(batch.id);
    }
    const ofAll = (dimension: string) => counts.filter((one) => one.dimension === dimension && one.cell.of === "all");
    const countOf = (dimension: string) => ofAll(dimension)[0]?.counters;
    const answers = () => Object.fromEntries(ofAll("answers").map(({ value, counters }) => [value, counters["count"]]));
    return Object.assign(countOf, { answers, counts, ofAll });
  };
  return { clock, sampler, answer, counted };
}

it("S3: a request that is read counts for those since the last one, so that the sums are those of all", () => {
  const { clock, answer, counted } = aSampler(5);
  for (clock.ms = 0; clock.ms < 60_000; clock.ms += 1) answer();
  const countOf = counted();
  // The last one is for those since the one before.
  expect(countOf("sample")).toEqual({ answered: 60_000, read: 301 });
  expect(countOf.answers()).toEqual({ table: 60_000 });
  expect(countOf("hardware")).toEqual({ count: 60_000 });
});

it.each([
  ["the first tenth", (at: number) => at % 100 < 10],
  ["the last half", (at: number) => at % 100 >= 50],
  ["any tenth", (at: number) => mix(at) < 0.1 * 2 ** 32],
])("S3: of bursts longer than what may be read, %s counts as often as it is in the mean", (_, isOne) => {
  const [one, other] = ["HU1", "HU2"].map((hardware) => Buffer.from(withHardware(hardware)));
  const errors = Array.from({ length: 200 }, (__, seed) => {
    const { clock, answer, counted } = aSampler(10, { seed });
    let truth = 0;
    for (let at = 0; at < 1_000; at++) {
      clock.ms = 1_000 * (1 + Math.floor(at / 100)) + (at % 100);
      if (isOne(at)) truth += 1;
      answer(isOne(at) ? one : other);
    }
    const found = counted()
      .ofAll("hardware")
      .find(({ value }) => value === "HU1");
    return (found?.counters["count"] ?? 0) - truth;
  });
  const sumOf = (values: readonly number[]) => values.reduce((sum, value) => sum + value, 0);
  const deviation = Math.sqrt(sumOf(errors.map((error) => error ** 2)) / errors.length);
  expect(Math.abs(sumOf(errors) / errors.length)).toBeLessThan((4 * deviation) / Math.sqrt(errors.length));
});

it("S1: counts every answer, and no preflight; reads only what got a table and was not repaired", () => {
  const { sampler, counted } = aSampler(10_000);
  const kinds = [
    [200, null],
    [200, "scan"],
    [200, "utf8"],
    [400, null],
    [503, null],
    [204, null],
  ] as const;
  for (const [status, repair] of kinds) {
    sampler.observe({ environment: "staging", status, repair });
    sampler.offer("staging", body, policy, { status, repair, side: null });
  }
  const countOf = counted();
  expect(countOf.answers()).toEqual({ table: 1, repaired: 2, refused: 2 });
  expect(countOf("sample")).toEqual({ answered: 1, read: 1 });
  expect(sampler.totals("staging")).toEqual({ table: 1, repaired: 2, refused: 2, answered: 1, read: 1 });
});

it("S3: keeps 4 MiB of bodies at most, and counts what it has not kept through the next one", () => {
  const { clock, answer, counted } = aSampler(10_000);
  clock.ms = 1_000;
  const large = Buffer.alloc(1_048_576, " ");
  body.copy(large);
  for (let at = 0; at < 10; at++) answer(large);
  let countOf = counted();
  expect([countOf("sample"), countOf("hardware")]).toEqual([{ answered: 10, read: 4 }, { count: 4 }]);
  answer();
  countOf = counted();
  expect(countOf("hardware")).toEqual({ count: 7 });
});

it("S3: reads in turns of the event loop of its own, after whoever answers", async () => {
  const { sampler, answer } = aSampler(10_000);
  answer();
  expect(sampler.totals("production").read).toBe(0);
  await expect.poll(() => sampler.totals("production").read).toBe(1);
});

it("S3: reads ten together, without waiting for more", async () => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const { clock, sampler, answer } = aSampler(10_000);
  const readAfter = async (times: number) => {
    for (let at = 0; at < times; at++) {
      clock.ms += 1;
      answer();
    }
    for (let turn = 0; turn < 100; turn++) await setImmediate();
    return sampler.totals("production").read;
  };
  expect(await readAfter(9)).toBe(0);
  expect(await readAfter(1)).toBe(10);
  expect(await readAfter(1)).toBe(10);
  vi.advanceTimersByTime(199);
  expect(await readAfter(0)).toBe(10);
  vi.advanceTimersByTime(1);
  expect(await readAfter(0)).toBe(11);
});

it("S6: a body that is no JSON is skipped", () => {
  const { clock, sampler, answer, counted } = aSampler(10_000);
  clock.ms = 1_000;
  answer(Buffer.from("policy_table=1"));
  answer();
  const countOf = counted();
  expect([countOf("sample"), countOf("hardware"), sampler.unreadable]).toEqual([
    { answered: 2, read: 2 },
    { count: 1 },
    1,
  ]);
});

it("S5: an hour's answers count in their hour", () => {
  const { clock, sampler, answer } = aSampler(1);
  clock.ms = hour - 1;
  answer();
  clock.ms = hour;
  answer();
  sampler.seal();
  const first = sampler.outbox.next();
  expect(first?.at).toBe(0);
  const answers = first?.counts.filter(({ dimension }) => dimension === "answers");
  expect(answers).toMatchObject([{ value: "table", counters: { count: 1 } }]);
});

it("S13: counts apps and repeats by side while a release is rolled out, as often as requests on that side", () => {
  const { clock, sampler, counted } = aSampler(100, { fleetStatistics: "usage" });
  clock.ms = 1_000;
  for (let at = 0; at < 40; at++) sampler.offer("production", body, policy, { ...table, side: at < 30 ? "in" : "out" });
  sampler.noteRepeat("in");
  const { counts } = counted();
  const sumOf = (side: string, dimension: string, counter: string) =>
    counts
      .filter(({ cell, ...one }) => one.dimension === dimension && "value" in cell && cell.value === side)
      .reduce((sum, { counters }) => sum + (counters[counter] ?? 0), 0);
  expect([sumOf("in", "sample", "answered"), sumOf("in", "repeats", "count")]).toEqual([30, 1]);
  expect([sumOf("out", "sample", "answered"), sumOf("out", "repeats", "count")]).toEqual([10, 0]);
  expect(sumOf("in", "apps", "reports")).toBe(3 * sumOf("out", "apps", "reports"));
});

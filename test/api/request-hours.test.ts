import { beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { loadRequestHours, RequestHours, startRequestHours } from "@/lib/fleet/request-hours";
import { log } from "@/lib/platform/log";
import { VehicleHourModel } from "@/models/vehicle-hour";
import { emptyDatabase, withDatabase } from "@/test/support/database";

/* Requests of vehicles by hour (`fleet.md`). */

withDatabase();
beforeEach(() => emptyDatabase());

const hourMs = 3_600_000;
const noon = Date.parse("2026-03-01T12:00:00.000Z");
/** The metrics of a process that started then, in milliseconds, with its counters by environment and status. */
const aProcess = (startedAt: number, counters: Readonly<Record<string, number>>) => [
  { name: "process_start_time_seconds", values: [{ value: startedAt / 1000, labels: {} }] },
  {
    name: "policy_answers_total",
    values: Object.entries(counters).map(([key, value]) => {
      const [environment, status] = key.split(" ");
      return { value, labels: { environment, status } };
    }),
  },
];
const sumsOf = async (now: number, hours = 2) =>
  (await loadRequestHours(now, hours)).map(({ at, production, staging }) => [
    at.slice(11, 13),
    ...[production.table, production.refused, staging.table, staging.refused],
  ]);

it("S1, S5: counts what is new in each hour: tables, refusals, by environment; an hour without requests is zero", async () => {
  const hours = new RequestHours(noon);
  const began = noon + 1;
  hours.add({ "vehicle-worker-1": aProcess(began, { "production 200": 5, "staging 503": 2 }) }, noon + 60_000);
  hours.add({ "vehicle-worker-1": aProcess(began, { "production 200": 7, "production 400": 1 }) }, noon + 120_000);
  await hours.store(noon + 120_000);
  hours.add({ "vehicle-worker-1": aProcess(began, { "production 200": 17 }) }, noon + hourMs);
  await hours.store(noon + hourMs);
  expect(await sumsOf(noon + 2 * hourMs, 4)).toEqual([
    ["11", 0, 0, 0, 0],
    ["12", 7, 1, 0, 2],
    ["13", 10, 0, 0, 0],
    ["14", 0, 0, 0, 0],
  ]);
});

it("S5: what a process counted before is not new; a replaced one begins again; a silent one loses nothing", async () => {
  const hours = new RequestHours(noon);
  const add = (byProcess: Parameters<RequestHours["add"]>[0]) => hours.add(byProcess, noon);
  add({ old: aProcess(noon - 9000, { "production 200": 1000 }), other: aProcess(noon + 1, { "production 200": 1 }) });
  add({ old: [], other: aProcess(noon + 1, { "production 200": 1 }) });
  add({ old: [] });
  add({ old: aProcess(noon - 9000, { "production 200": 1003 }), other: aProcess(noon + 8, { "production 200": 20 }) });
  await hours.store(noon);
  expect(await sumsOf(noon, 1)).toEqual([["12", 24, 0, 0, 0]]);
});

it("S5: instances add up; hours older than 90 days go, counts that could not be stored for two hours as well", async () => {
  await VehicleHourModel.create({ _id: new Date(noon - 91 * 24 * hourMs) });
  for (const start of [noon + 1, noon + 2]) {
    const hours = new RequestHours(noon);
    hours.add({ server: aProcess(start, { "production 200": 4 }) }, noon);
    hours.add({ server: aProcess(start, { "production 200": 5 }) }, noon + 4 * hourMs);
    await hours.store(noon + 4 * hourMs);
  }
  expect(await sumsOf(noon + 4 * hourMs, 5)).toEqual([
    ["12", 0, 0, 0, 0],
    ["13", 0, 0, 0, 0],
    ["14", 0, 0, 0, 0],
    ["15", 0, 0, 0, 0],
    ["16", 2, 0, 0, 0],
  ]);
  expect(await VehicleHourModel.countDocuments()).toBe(1);
});

it("S5: reads the metrics at once and each minute; a failure loses nothing", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  onTestFinished(() => void vi.useRealTimers());
  const began = Date.now() + 60_000;
  const answers = [3, null, 8];
  const collect = vi.fn((names: readonly string[]) => {
    const value = answers[collect.mock.calls.length - 1] ?? null;
    expect(names).toEqual(["policy_answers_total", "process_start_time_seconds"]);
    return value === null
      ? Promise.reject(new Error("main does not answer"))
      : Promise.resolve({ server: aProcess(began, { "production 200": value }) });
  });
  vi.spyOn(log, "warn").mockReturnValue();
  const stop = startRequestHours(collect);
  await vi.advanceTimersByTimeAsync(60_000);
  await vi.advanceTimersByTimeAsync(60_000);
  await stop();
  expect(collect).toHaveBeenCalledTimes(3);
  expect((await loadRequestHours(Date.now(), 2)).reduce((sum, { production }) => sum + production.table, 0)).toBe(8);
});

import { post, textOf } from "@/bench/calls";
import { startCars } from "@/bench/cars";
import { distinctUuid } from "@/bench/distinct-apps";
import type { Report } from "@/bench/report";
import { planCars, SimulatedCar } from "@/bench/simulated-car";
import { filledDataDir, startOurs } from "@/bench/targets";
import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const stored = 2_000;
const apps = Array.from({ length: stored }, (_, at) => distinctUuid(at));

/** What 10,000,000 cars ask for (docs/sizing.md), each with a connection of its own: requests a second, and for how long. */
const phases = [
  { name: "busiest hour", perSecond: 40, share: 0.25 },
  { name: "retries after an outage of a day", perSecond: 2_800, share: 0.5 },
  { name: "busiest hour again", perSecond: 40, share: 0.25 },
] as const;

/** The load of 10,000,000 cars on one server with its default settings, for this many seconds in total. */
export async function measureSizing(report: Report, seconds: number): Promise<void> {
  const folder = filledDataDir(stored);
  const server = await startOurs(folder, { VEHICLE_WORKERS: "2" });
  const bodies = await drivenCars(server.origin, 200);
  const rows: (string | number)[][] = [];
  for (const { name, perSecond, share } of phases) {
    const before = server.cpuMs("vehicle-worker");
    const start = performance.now();
    // One process of cars is not fast enough for all of them.
    const options = { origin: server.origin, perSecond: perSecond / 2, bodies, isNewConnection: true };
    const cars = [await startCars(options), await startCars(options)];
    await wait(seconds * share * 1000);
    const results = await Promise.all(cars.map((one) => one.stop()));
    const elapsed = performance.now() - start;
    const sum = (of: (one: (typeof results)[number]) => number) => results.reduce((total, one) => total + of(one), 0);
    const most = (of: (one: (typeof results)[number]) => number) => Math.max(...results.map(of));
    const [sent, failed] = [sum((one) => one.sent), sum((one) => one.failed)];
    const cpu = server.cpuMs("vehicle-worker") - before;
    report.must(`10,000,000 cars, ${name}: failed`, failed, "≤", 0);
    rows.push([
      ...[name, (sent * 1000) / elapsed, sent, failed, most((one) => one.p50), most((one) => one.p99)],
      ...[most((one) => one.slowest), cpu / elapsed, (cpu * 1000) / sent, server.rss("vehicle-worker")],
    ]);
  }
  await server.stop();
  rmSync(folder, { recursive: true, force: true });
  report.table(
    "The load of 10,000,000 cars on one server (each on a connection of its own; cars on the same two cores)",
    [
      ...["load", "requests /s", "requests", "failed", "p50 ms", "p99 ms", "slowest ms"],
      ...["cores that vehicle workers took", "CPU µs of a request", "vehicle workers MiB"],
    ],
    rows,
  );
}

/** Requests of cars that have taken a table and were driven. */
async function drivenCars(origin: string, count: number): Promise<readonly string[]> {
  const bodies: string[] = [];
  for (const plan of planCars(count, apps)) {
    const car = new SimulatedCar(plan);
    car.take(await textOf(post(`${origin}/api/v1/production/policy`, JSON.parse(car.request()) as object)));
    car.drive(30);
    bodies.push(car.request());
  }
  return bodies;
}

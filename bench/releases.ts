import { spawn } from "node:child_process";
import { rmSync } from "node:fs";
import { loadavg } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import type { Measured } from "@/test/support/processes";
import type { CarResult } from "@/bench/cars";
import { distinctUuid } from "@/bench/distinct-apps";
import { carsTo, causes, endAll, startServer } from "@/bench/faults/stage";
import { getData, groupBody, post, send, textOf, timed } from "@/bench/calls";
import { releaseCounts } from "@/bench/fill-large";
import { median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { vehicleRequests } from "@/bench/requests";
import { filledDataDir } from "@/bench/targets";

const apps = 10_000;
const simulated = 10;

interface Bench {
  readonly report: Report;
  /** How long vehicles are measured during each kind of work. */
  readonly seconds: number;
  readonly rounds: number;
}

/** Milliseconds. */
interface Took {
  readonly review: number;
  /** CPU time of the console for the review. */
  readonly reviewCpu: number;
  readonly publish: number;
  /** From the publish request until a vehicle gets the change. */
  readonly served: number;
  readonly firstSimulation: number;
  readonly nextSimulation: number;
  /** CPU time of the console for the first simulation. */
  readonly firstSimulationCpu: number;
  readonly appsChanged: number;
}

/** How long a release takes from review to vehicles, and how vehicles are affected (`docs/spec/releases.md` 7). */
export async function measureReleases({ report, seconds, rounds }: Bench): Promise<void> {
  const dataDir = filledDataDir(apps, "--releases");
  try {
    const [busy = 0] = loadavg();
    const server = await startServer({ dataDir });
    await publishRound(server);
    const took: Took[] = [];
    // A median needs several values.
    for (let round = 0; round < Math.max(rounds, 3); round++) took.push(await publishRound(server));
    reportTimes(report, took, busy);
    await reportCars(report, server, seconds * 3);
  } finally {
    await endAll();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** @param busy load of the machine before: wall-clock times grow with it */
function reportTimes(report: Report, took: readonly Took[], busy: number): void {
  const of = (name: keyof Took) => took.map((one) => one[name]);
  const what = `${apps.toLocaleString("en")} apps, ${releaseCounts.groups} groups`;
  report.must(`review with effect, ${what}: processor time`, median(of("reviewCpu")) / 1000, "≤", 1, "s");
  report.must(`publish to served table, ${what}`, median(of("served")) / 1000, "≤", 2, "s");
  report.must("simulator, first request after a release", median(of("firstSimulation")), "≤", 30, "ms");
  report.must("simulator, requests after that", median(of("nextSimulation")), "≤", 30, "ms");
  const row = (title: string, name: keyof Took) => {
    const times = of(name);
    return [title, times.length, Math.min(...times), median(times), Math.max(...times)];
  };
  report.table(
    `A release of one group that all apps get, among ${what}, ${releaseCounts.messages} messages; milliseconds; load of the machine before: ${busy.toFixed(1)}`,
    ["step", "times", "fastest", "median", "slowest"],
    [
      row("review with checks and effect", "review"),
      row("the same, processor time of the console", "reviewCpu"),
      row("publish, until it is answered", "publish"),
      row("publish, until a vehicle gets it", "served"),
      row(`simulator, ${simulated} apps, first request after it`, "firstSimulation"),
      row("the same, processor time of the console", "firstSimulationCpu"),
      row(`simulator, ${simulated} apps, median of the next 5`, "nextSimulation"),
      row("apps whose entry changes (no time)", "appsChanged"),
    ],
  );
}

let made = 0;

/** Stages a group that every app gets. */
async function stage({ origin }: Measured): Promise<string> {
  const name = `Bench ${++made}`;
  await send(`${origin}/api/v1/groups`, groupBody(name, { is_default: true }));
  return name;
}

const publish = ({ origin }: Measured) =>
  send(`${origin}/api/v1/releases`, { items: "all", name: `Release ${made}`, force: true, reason: "measured" });

async function review({ origin }: Measured): Promise<number> {
  const { effect } = await getData<{ effect: { apps_changed: number } }>(`${origin}/api/v1/releases/changes`);
  return effect.apps_changed;
}

async function publishRound(server: Measured): Promise<Took> {
  const name = await stage(server);
  await whenSettled(server);
  const cpu = server.cpuMs("console");
  const [appsChanged, reviewed] = await timed(() => review(server));
  const reviewCpu = server.cpuMs("console") - cpu;
  const start = performance.now();
  const [, published] = await timed(() => publish(server));
  await whenServed(server, name);
  const served = performance.now() - start;
  await whenSettled(server);
  const before = server.cpuMs("console");
  const [, firstSimulation] = await timed(() => simulate(server));
  const firstSimulationCpu = server.cpuMs("console") - before;
  const next: number[] = [];
  for (let at = 0; at < 5; at++) next.push((await timed(() => simulate(server)))[1]);
  const simulations = { firstSimulation, firstSimulationCpu, nextSimulation: median(next) };
  return { review: reviewed, reviewCpu, publish: published, served, ...simulations, appsChanged };
}

/** Keeps the console's work for an edit or release out of the next measurement. */
async function whenSettled(server: Measured): Promise<void> {
  await (await fetch(`${server.origin}/api/v1/policy/preview?environment=staging`)).arrayBuffer();
  for (let before = -1; server.cpuMs("console") - before > 20;) {
    before = server.cpuMs("console");
    await wait(250);
  }
}

async function whenServed({ origin }: Measured, name: string): Promise<void> {
  const [body = "{}"] = vehicleRequests(1, apps, 1);
  const until = performance.now() + 30_000;
  while (performance.now() < until) {
    const table = await textOf(post(`${origin}/api/v1/production/policy`, JSON.parse(body) as object));
    if (table.includes(JSON.stringify(name))) return;
    await wait(10);
  }
  throw new Error(`no vehicle got ${name} within 30 s`);
}

const simulate = ({ origin }: Measured) =>
  send(`${origin}/api/v1/policy/simulate`, {
    apps: Array.from({ length: simulated }, (_, at) => distinctUuid((at * 7 + made * 100) % apps)),
  });

interface Scene {
  readonly name: string;
  readonly work: (server: Measured) => Promise<unknown>;
}

/** Uses as much processor time as the console can, without work for vehicle workers: what these add to waits shows beside it. */
const program = "a program that computes";

const scenes: readonly Scene[] = [
  { name: "nothing else", work: () => wait(100) },
  { name: "reviews", work: async (server) => review(server).then(() => stage(server)) },
  {
    name: program,
    async work() {
      const child = spawn(process.execPath, ["-e", "for (;;);"], { stdio: "ignore" });
      await wait(2_000);
      child.kill("SIGKILL");
    },
  },
  {
    name: "releases",
    work: async (server) => {
      await stage(server);
      await publish(server);
    },
  },
];

const isWork = (name: string) => name === "reviews" || name === "releases";

/** 200 cars per second during each kind of work, repeated continuously. */
async function reportCars(report: Report, server: Measured, seconds: number): Promise<void> {
  const results: { readonly name: string; readonly times: number; readonly cars: CarResult }[] = [];
  for (const { name, work } of scenes) {
    const cars = await carsTo(server.origin, { apps });
    const until = performance.now() + seconds * 1000;
    let times = 0;
    while (performance.now() < until) {
      await work(server);
      times++;
    }
    results.push({ name, times, cars: await cars.stop() });
  }
  const beside = results.find(({ name }) => name === program)?.cars.p99 ?? Number.NaN;
  const rows = results.map(({ name, times, cars }) => {
    return [
      ...[name, isWork(name) ? times : "–", cars.sent, cars.failed, causes(cars.failures)],
      ...[cars.p50, cars.p99, cars.slowest, cars.p99 / beside],
    ];
  });
  for (const { name, cars } of results.filter((one) => isWork(one.name))) {
    report.must(`200 cars/s beside ${name}: failed`, cars.failed, "≤", 0);
    report.must(`200 cars/s beside ${name}: p99 against that beside ${program}`, cars.p99 / beside, "≤", 1.5, "×");
  }
  report.table(
    "200 cars a second beside reviews and releases without a pause",
    ["beside", "how many", "cars", "failed", "why", "p50 ms", "p99 ms", "slowest ms", "p99 / beside the program"],
    rows,
  );
}

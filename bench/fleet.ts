import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { type Dimension, dimensions, wholeValue } from "@/lib/fleet/dimensions";
import { getData, groupBody, post, send, textOf } from "@/bench/calls";
import { distinctUuid } from "@/bench/distinct-apps";
import type { Report } from "@/bench/report";
import { planCars, SimulatedCar } from "@/bench/simulated-car";
import { filledDataDir, startOurs } from "@/bench/targets";
import type { Measured } from "@/test/support/processes";
import { startDatabase } from "@/test/support/server";

const stored = 40;
const apps = [...Array.from({ length: stored }, (_, at) => distinctUuid(at)), "stranger-1", "stranger-2"];

type Counts = Map<string, Map<string, number>>;

/** What the cars know: the counts of all vehicles by dimension, and by value and counter. */
class Truth {
  readonly counts: Counts = new Map(Object.keys(dimensions).map((name) => [name, new Map()]));

  add(dimension: Dimension, value: string, counter: string, by = 1): void {
    const counts = this.counts.get(dimension);
    const key = `${value} ${counter}`;
    if (by > 0) counts?.set(key, (counts.get(key) ?? 0) + by);
  }
}

/** Cars that note what the server should count of their requests. */
class Fleet {
  readonly truth = new Truth();
  readonly #origin: string;
  readonly #cars: readonly { readonly car: SimulatedCar; release: string }[];
  release = "1";

  constructor(origin: string, cars: number) {
    this.#origin = origin;
    this.#cars = planCars(cars, apps).map((plan) => ({ car: new SimulatedCar(plan), release: "unknown" }));
  }

  /** A share of the cars asks, a few at a time; each takes what it gets, and is driven. */
  async ask(share: number, perSecond = Infinity): Promise<void> {
    const asking = this.#cars.filter((_, at) => at % 100 < share * 100);
    const begin = performance.now();
    for (let at = 0; at < asking.length; at += 4) {
      await wait(Math.max(0, begin + (at / perSecond) * 1000 - performance.now()));
      await Promise.all(asking.slice(at, at + 4).map((one) => this.#askOne(one)));
    }
  }

  async #askOne(one: { readonly car: SimulatedCar; release: string }): Promise<void> {
    const { car } = one;
    const { plan } = car;
    const body = car.request();
    const prompts = car.prompts;
    const answer = await fetch(`${this.#origin}/api/v1/production/policy`, { method: "POST", body });
    this.truth.add("answers", answer.ok ? "table" : "refused", "count");
    this.truth.add("software", plan.software, "count");
    this.truth.add("hardware", plan.hardware, "count");
    this.truth.add("languages", plan.language, "count");
    this.truth.add("countries", plan.country, "count");
    this.truth.add("releases", one.release, "count");
    for (const { system, apps: asking } of plan.phones) {
      this.truth.add("systems", system, "count");
      for (const group of asking.flatMap(() => prompts)) this.truth.add("groups", group, plan.agrees ? "yes" : "no");
    }
    const used = structuredClone(car.usage);
    const entries = car.take(await answer.text());
    for (const id of car.apps) {
      const isStranger = id.startsWith("stranger");
      if (isStranger) this.truth.add("unknownApps", id, "count");
      else this.truth.add("apps", id, typeof entries[id] === "object" ? "own" : "default");
      const usage = isStranger ? undefined : used.get(id);
      if (usage === undefined) continue;
      this.truth.add("apps", id, "reports");
      this.truth.add("apps", id, "full", usage.minutes_in_hmi_full);
      this.truth.add("apps", id, "selections", usage.count_of_user_selections);
      this.truth.add("apps", id, "rejected", usage.count_of_rejected_rpc_calls);
    }
    one.release = this.release;
    car.drive(5, id(car) % 3);
  }
}

const id = (car: SimulatedCar) => Number(car.plan.vin.slice(-8));

async function publish({ origin }: Measured, fleet: Fleet): Promise<void> {
  await textOf(post(`${origin}/api/v1/groups`, groupBody("Simulated", { is_default: true })));
  await send(`${origin}/api/v1/releases`, { items: "all", name: "simulated", force: true, reason: "measured" });
  const { releases } = await getData<{ releases: readonly { number: number }[] }>(`${origin}/api/v1/releases`);
  fleet.release = String(releases[0]?.number);
  // Until every vehicle worker serves it.
  await wait(2_000);
}

/** What is stored of all vehicles after the server has stopped, over all days. */
async function readStored(dataDir: string): Promise<Counts> {
  const database = await startDatabase(path.join(dataDir, "database"));
  const args = ["--conditions=react-server", "--import", "tsx", "bench/fleet-counts.ts", database.uri];
  const read = spawnSync(process.execPath, args, { encoding: "utf8", stdio: ["ignore", "pipe", "inherit"] });
  await database.kill();
  const counts = JSON.parse(read.stdout) as readonly (readonly [string, readonly (readonly [string, number])[]])[];
  return new Map(counts.map(([dimension, found]) => [dimension, new Map(found)]));
}

async function simulate(cars: number, perSecond: string, rounds: (fleet: Fleet, server: Measured) => Promise<void>) {
  const dataDir = filledDataDir(stored);
  const server = await startOurs(dataDir, {
    ...{ VEHICLE_WORKERS: "2", DRAIN_SECONDS: "0", RPC_SPEC_URL: "off" },
    ...{ FLEET_STATISTICS: "usage", FLEET_SAMPLE_PER_SECOND: perSecond },
  });
  const fleet = new Fleet(server.origin, cars);
  const { releases } = await getData<{ releases: readonly { number: number }[] }>(`${server.origin}/api/v1/releases`);
  fleet.release = String(releases[0]?.number);
  try {
    await rounds(fleet, server);
  } finally {
    await server.stop();
  }
  const counts = await readStored(dataDir);
  rmSync(dataDir, { recursive: true, force: true });
  return { truth: fleet.truth.counts, counts };
}

/** Simulated cars against the built server with two vehicle workers: what it stored is what they know (`fleet.md`). */
export async function measureFleet({
  report,
  cars,
}: {
  readonly report: Report;
  readonly cars: number;
}): Promise<void> {
  const isSampled = (name: string) => name !== "answers" && name !== "sample" && name !== "repeats";
  const exact = await simulate(cars, "10000", async (fleet, server) => {
    await fleet.ask(1);
    await publish(server, fleet);
    await fleet.ask(0.4);
    await fleet.ask(1);
  });
  const rows = [...exact.truth].map(([dimension, truth]) => {
    const found = exact.counts.get(dimension) ?? new Map<string, number>();
    const keys = new Set([...truth.keys(), ...found.keys()]);
    const wrong = [...keys].filter((key) => (truth.get(key) ?? 0) !== (found.get(key) ?? 0));
    if (dimension !== "sample") report.must(`wrong counts without sampling, ${dimension}`, wrong.length, "≤", 0);
    return [dimension, truth.size, [...truth.values()].reduce((sum, one) => sum + one, 0)];
  });
  report.table(
    `Counts of ${cars} simulated cars, as they and the database know them`,
    ["dimension", "values", "sum"],
    rows,
  );

  const sampled = await simulate(cars, "5", async (fleet, server) => {
    await fleet.ask(1, 100);
    await publish(server, fleet);
    await fleet.ask(0.4, 100);
    await fleet.ask(1, 100);
  });
  const of = (name: string) => sampled.counts.get("sample")?.get(`${wholeValue} ${name}`) ?? 0;
  const [read, answered] = [of("read"), of("answered")];
  const others = [...sampled.truth].filter(([name]) => isSampled(name));
  const errors = others.flatMap(([dimension, truth]) =>
    [...truth].flatMap(([key, right]) => {
      // Only what a car has or has not: minutes, phones and consents are several of one car, and spread more.
      if (!/ (count|own|default|reports)$/.test(key) || dimension === "systems") return [];
      const found = sampled.counts.get(dimension)?.get(key) ?? 0;
      return [
        { key: `${dimension} ${key}`, deviations: Math.abs(found - right) / Math.sqrt((right * answered) / read) },
      ];
    }),
  );
  const worst = Math.max(...errors.map(({ deviations }) => deviations));
  report.must(
    `largest error of a count, read ${read} of ${answered}, in standard deviations of a random sample`,
    worst,
    "≤",
    5,
  );
}

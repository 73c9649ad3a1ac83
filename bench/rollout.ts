import { rmSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { getData, groupBody, send } from "@/bench/calls";
import { distinctUuid } from "@/bench/distinct-apps";
import type { Report } from "@/bench/report";
import { planCars, SimulatedCar } from "@/bench/simulated-car";
import { filledDataDir, startOurs } from "@/bench/targets";
import type { Measured } from "@/test/support/processes";

const stored = 40;
const apps = Array.from({ length: stored }, (_, at) => distinctUuid(at));
const percent = 20;
/** Counts are stored once a minute, and the brake looks once a minute. */
const everyMs = 60_000;
const longestMs = 6 * everyMs;

interface Rollout {
  readonly state: string;
  readonly step: number;
  readonly brake: string | null;
}

/** What is wrong with the release: apps' calls are rejected, or cars refuse the table and ask again. */
type Fault = "rejected" | "repeats";

/** A bad release is stopped at its first step (`fleet.md` S13), by what simulated cars report. */
export async function measureRollouts(report: Report, { cars }: { readonly cars: number }): Promise<void> {
  const rows = [];
  for (const fault of [null, "rejected", "repeats"] as const) {
    const { rollout, inside, seconds } = await rollOut(cars, fault);
    const name = fault ?? "nothing wrong";
    report.must(
      `cars inside at ${percent} %, ${name}`,
      Math.abs((inside / cars) * 100 - percent),
      "≤",
      4,
      "points off",
    );
    report.must(
      `stopped although it is as it should be, or not stopped: ${name}`,
      rollout.brake === fault ? 0 : 1,
      "≤",
      0,
    );
    rows.push([name, cars, inside, rollout.state, rollout.brake ?? "–", rollout.step + 1, seconds]);
  }
  report.table(
    `A release that ${percent} % of the cars get first`,
    ["what is wrong with it", "cars", "inside", "state", "stopped by", "step", "seconds until then"],
    rows,
  );
}

async function rollOut(count: number, fault: Fault | null) {
  const dataDir = filledDataDir(stored);
  const server = await startOurs(dataDir, {
    ...{ VEHICLE_WORKERS: "2", DRAIN_SECONDS: "0", RPC_SPEC_URL: "off" },
    ...{ FLEET_STATISTICS: "usage", FLEET_SAMPLE_PER_SECOND: "10000" },
  });
  const cars = planCars(count, apps).map((plan) => new SimulatedCar(plan));
  try {
    for (const car of cars) {
      await ask(server, car);
      car.drive(5, 1);
    }
    await send(`${server.origin}/api/v1/groups`, groupBody("Rolled", { is_default: true }));
    const steps = [
      { percent, hours: null },
      { percent: 100, hours: null },
    ];
    await send(`${server.origin}/api/v1/releases`, {
      items: "all",
      force: true,
      reason: "measured",
      rollout: { steps },
    });
    const begin = performance.now();
    await wait(2_000);
    // What was counted before the brake first looks does not count.
    await wait(everyMs + 10_000);
    let inside = 0;
    for (const car of cars) if (await drive(server, car, fault)) inside++;
    let rollout = await current(server);
    const longest = fault === null ? 3 * everyMs : longestMs;
    while (rollout.state === "running" && performance.now() - begin < longest) {
      await wait(1_000);
      rollout = await current(server);
    }
    return { rollout, inside, seconds: (performance.now() - begin) / 1000 };
  } finally {
    await server.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** @returns whether it gets the release */
async function ask({ origin }: Measured, car: SimulatedCar, isTaken = true): Promise<boolean> {
  const answer = await fetch(`${origin}/api/v1/production/policy`, { method: "POST", body: car.request() });
  const text = await answer.text();
  if (isTaken) car.take(text);
  return text.includes('"Rolled"');
}

/** A car takes what it gets or refuses it, is driven, and tells how that went. @returns whether it is inside */
async function drive(server: Measured, car: SimulatedCar, fault: Fault | null): Promise<boolean> {
  const isInside = await ask(server, car, fault !== "repeats");
  car.drive(5, fault === "rejected" && isInside ? 20 : 1);
  if (!isInside || fault === null) return isInside;
  for (let times = fault === "repeats" ? 3 : 1; times > 0; times--) await ask(server, car, false);
  return isInside;
}

async function current({ origin }: Measured): Promise<Rollout> {
  const { rollout } = await getData<{ rollout: Rollout | null }>(`${origin}/api/v1/rollouts/current`);
  if (rollout === null) throw new Error("the rollout is over");
  return rollout;
}

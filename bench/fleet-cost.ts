import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { namesOf } from "@/lib/vocabulary/members";
import { vehicleRequest } from "@/bench/requests";
import { distinctUuid } from "@/bench/distinct-apps";
import { load, median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { startVehicleWorkerAlone } from "@/bench/targets";
import type { MeasuredTurn } from "@/bench/worker-alone";

/** Of the throughput without statistics and a rollout, and of the processor time (`fleet.md` S3, S12). */
const modes = {
  /** Nothing: what the machine makes of the same program. */
  control: { turnMs: 20, env: {}, leastRatio: null, maxCpu: null },
  // Requests are sampled by the second, and some are read up to 200 ms later.
  requests: { turnMs: 1_000, env: { FLEET_STATISTICS: "requests" }, leastRatio: 0.97, maxCpu: 1.03 },
  usage: { turnMs: 1_000, env: { FLEET_STATISTICS: "usage" }, leastRatio: 0.97, maxCpu: 1.03 },
  rollout: { turnMs: 20, env: { ROLLOUT: "10" }, leastRatio: 0.98, maxCpu: 1.02 },
  /** As of a regular build: each is told by its phones, and by the release that it has. */
  "rollout, no VINs": { turnMs: 20, env: { ROLLOUT: "10" }, leastRatio: 0.98, maxCpu: 1.02 },
} as const;

/** Until everything is compiled: what reads requests runs just 50 times a second. */
const warmUpSeconds = 10;
const seconds = 30;
/** A turn counts if the worker was busy for this share of it. */
const leastBusy = 0.95;

/**
 * A busy vehicle worker with each kind of statistics, and while a release is rolled out. Two processes of the same program
 * differ by up to 20 percent for as long as they live, so the same process counts or not, in turns: short ones, because the
 * speed of machines changes within seconds.
 */
export async function measureStatistics({
  report,
  rounds,
}: {
  readonly report: Report;
  readonly rounds: number;
}): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const apps of [10, 50] as const) {
    for (const mode of namesOf(modes)) {
      const pairs: Pair[] = [];
      for (let round = 0; round < rounds; round++)
        pairs.push(...(await measureProcess(modes[mode], requestsOf(apps, mode !== "rollout, no VINs"))));
      const of = (value: (one: Pair) => number) => median(pairs.map(value));
      const [ratio, cpu] = [of(({ on, off }) => on.perSecond / off.perSecond), of(({ on, off }) => on.cpu / off.cpu)];
      const { leastRatio, maxCpu } = modes[mode];
      if (leastRatio !== null) report.must(`throughput with ${mode} / off, ${apps} apps, gzip`, ratio, "≥", leastRatio);
      if (maxCpu !== null)
        report.must(`processor time of an answer with ${mode} / off, ${apps} apps, gzip`, cpu, "≤", maxCpu);
      rows.push([
        ...[`${apps} apps, ${mode}`, of(({ off }) => off.perSecond), of(({ on }) => on.perSecond), ratio],
        ...[
          of(({ off }) => off.cpu),
          of(({ on }) => on.cpu),
          cpu,
          errorOf(pairs.map(({ on, off }) => on.cpu / off.cpu)),
        ],
        pairs.length,
      ]);
    }
  }
  report.table(
    `A busy vehicle worker with and without statistics and a rollout (medians of turns in ${rounds} processes)`,
    [
      ...["request", "off /s", "with /s", "ratio", "off CPU µs", "with CPU µs", "ratio", "its standard error"],
      "turns that count",
    ],
    rows,
  );
}

/** Of a turn with, and of those before and after it without: answers a second, and microseconds for each. */
interface Pair {
  readonly on: { readonly perSecond: number; readonly cpu: number };
  readonly off: Pair["on"];
}

async function measureProcess(
  { turnMs, env }: { readonly turnMs: number; readonly env: Readonly<Record<string, string>> },
  bodies: readonly string[],
): Promise<Pair[]> {
  const file = path.join(mkdtempSync(path.join(tmpdir(), "bench-turns-")), "turns.json");
  // Half of the seconds count, so 50 requests of each of them are read.
  const target = await startVehicleWorkerAlone(200, {
    ...{ FLEET_SAMPLE_PER_SECOND: "25", TURN_MS: String(turnMs), TURNS: file },
    ...env,
  });
  const url = `${target.origin}/api/v1/production/policy`;
  const options = { url, bodies, isGzip: true, connections: 20, generators: 1 };
  const { failed } = await load({ ...options, seconds: warmUpSeconds + seconds });
  await target.stop();
  if (failed > 0) throw new Error(`${failed} requests failed`);
  const turns = (JSON.parse(readFileSync(file, "utf8")) as MeasuredTurn[]).slice((warmUpSeconds * 1_000) / turnMs);
  return turns.flatMap((on, at) => {
    const [before, after] = [turns[at - 1], turns[at + 1]];
    if (!on.isOn || before === undefined || after === undefined) return [];
    if ([before, on, after].some(({ cpuMs, ms }) => cpuMs < leastBusy * ms)) return [];
    const [one, other] = [figuresOf(before), figuresOf(after)];
    const off = { perSecond: (one.perSecond + other.perSecond) / 2, cpu: (one.cpu + other.cpu) / 2 };
    return [{ on: figuresOf(on), off }];
  });
}

function figuresOf({ answered, cpuMs, ms }: MeasuredTurn): Pair["on"] {
  return { perSecond: (answered / ms) * 1000, cpu: (cpuMs / answered) * 1000 };
}

function requestsOf(apps: 10 | 50, hasVin: boolean): readonly string[] {
  return Array.from({ length: 40 }, (_, vehicle) => {
    const ids = Array.from({ length: apps }, (__, at) => distinctUuid((vehicle * apps + at * 7) % 200));
    const request = vehicleRequest(apps, ids);
    return hasVin ? request : request.replace(/"vin":"[^"]*"/, '"vin":""');
  });
}

function errorOf(values: readonly number[]): number {
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

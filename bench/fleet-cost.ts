import { namesOf } from "@/lib/vocabulary/members";
import { vehicleRequest } from "@/bench/requests";
import { distinctUuid } from "@/bench/distinct-apps";
import { load, median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { startVehicleWorkerAlone } from "@/bench/targets";
import type { Measured } from "@/test/support/processes";

/** Of the throughput without statistics and a rollout, and of the processor time (`fleet.md` S3, S12). */
const modes = {
  /** Nothing: what the machine makes of the same program. */
  control: { env: {}, leastRatio: null, maxCpu: null },
  requests: { env: { FLEET_STATISTICS: "requests" }, leastRatio: 0.97, maxCpu: 1.03 },
  usage: { env: { FLEET_STATISTICS: "usage" }, leastRatio: 0.97, maxCpu: 1.03 },
  rollout: { env: { ROLLOUT: "10" }, leastRatio: 0.98, maxCpu: 1.02 },
  /** As of a regular build: each is told by its phones, and by the release that it has. */
  "rollout, no VINs": { env: { ROLLOUT: "10" }, leastRatio: 0.98, maxCpu: 1.02 },
} as const;

/** Seconds of load at once: short, because what else the machine does changes within seconds. */
const sliceSeconds = 0.5;
/** Turns of off, on, on and off for each process. */
const turns = 8;

/**
 * A busy vehicle worker with each kind of statistics, and while a release is rolled out. Two processes of the same program
 * differ by up to 20 percent for as long as they live, so the same process counts or not, in turns.
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
      const all: Awaited<ReturnType<typeof measureTurn>>[] = [];
      for (let round = 0; round < rounds; round++) {
        const target = await startVehicleWorkerAlone(200, modes[mode].env);
        all.push(...(await measureProcess(target, requestsOf(apps, mode !== "rollout, no VINs"))));
        await target.stop();
      }
      const { leastRatio, maxCpu } = modes[mode];
      const of = (value: (one: (typeof all)[number]) => number) => median(all.map(value));
      const [ratio, cpu] = [of((one) => one.on.perSecond / one.off.perSecond), of((one) => one.on.cpu / one.off.cpu)];
      if (leastRatio !== null) report.must(`throughput with ${mode} / off, ${apps} apps, gzip`, ratio, "≥", leastRatio);
      if (maxCpu !== null)
        report.must(`processor time of an answer with ${mode} / off, ${apps} apps, gzip`, cpu, "≤", maxCpu);
      rows.push([
        ...[`${apps} apps, ${mode}`, of((one) => one.off.perSecond), of((one) => one.on.perSecond), ratio],
        ...[errorOf(all.map((one) => one.on.perSecond / one.off.perSecond))],
        ...[of((one) => one.off.cpu), of((one) => one.on.cpu), cpu, of((one) => one.off.p99), of((one) => one.on.p99)],
        of((one) => one.on.busy),
      ]);
    }
  }
  report.table(
    `A busy vehicle worker with and without statistics (medians of ${rounds * turns} turns in ${rounds} processes each)`,
    [
      ...["request", "off /s", "with /s", "ratio", "its standard error"],
      ...["off CPU µs", "with CPU µs", "ratio", "off p99 ms", "with p99 ms", "with, share of a core"],
    ],
    rows,
  );
}

function requestsOf(apps: 10 | 50, hasVin: boolean): readonly string[] {
  return Array.from({ length: 40 }, (_, vehicle) => {
    const ids = Array.from({ length: apps }, (__, at) => distinctUuid((vehicle * apps + at * 7) % 200));
    const request = vehicleRequest(apps, ids);
    return hasVin ? request : request.replace(/"vin":"[^"]*"/, '"vin":""');
  });
}

async function measureProcess(target: Measured, bodies: readonly string[]) {
  const slice = async (seconds: number) => {
    const before = target.cpuMs();
    const url = `${target.origin}/api/v1/production/policy`;
    const result = await load({ url, bodies, isGzip: true, connections: 20, generators: 1, seconds });
    if (result.failed > 0) throw new Error(`${result.failed} requests failed`);
    const used = target.cpuMs() - before;
    return { ...result, cpu: (used / result.answered) * 1000, busy: used / result.milliseconds };
  };
  const toggle = () => void target.child.kill("SIGUSR2");
  // Until everything is compiled. What reads requests runs just 50 times a second.
  await slice(6);
  toggle();
  await slice(3);
  const measured = [];
  for (let turn = 0; turn < turns; turn++) measured.push(await measureTurn(slice, toggle));
  return measured;
}

type Slice = (seconds: number) => Promise<{ perSecond: number; cpu: number; p99: number; busy: number }>;

/** In an order that a machine which becomes slower or faster does not change anything of. */
async function measureTurn(slice: Slice, toggle: () => void) {
  const first = await slice(sliceSeconds);
  toggle();
  const on = mean(await slice(sliceSeconds), await slice(sliceSeconds));
  toggle();
  return { off: mean(first, await slice(sliceSeconds)), on };
}

function mean(one: Awaited<ReturnType<Slice>>, other: typeof one): typeof one {
  return {
    perSecond: (one.perSecond + other.perSecond) / 2,
    cpu: (one.cpu + other.cpu) / 2,
    p99: (one.p99 + other.p99) / 2,
    busy: (one.busy + other.busy) / 2,
  };
}

function errorOf(values: readonly number[]): number {
  const average = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - average) ** 2, 0);
  return Math.sqrt(squares / (values.length - 1) / values.length);
}

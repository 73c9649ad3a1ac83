import { namesOf, recordOf } from "@/lib/vocabulary/members";
import { vehicleRequest } from "@/bench/requests";
import { distinctUuid } from "@/bench/distinct-apps";
import { load, median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { startVehicleWorkerAlone } from "@/bench/targets";
import { against, takeTurns } from "@/bench/worker-matrix";
import type { Measured } from "@/test/support/processes";

const route = "/api/v1/production/policy";
/** Of the throughput without statistics and a rollout, and of the processor time (`fleet.md` S3, S12). */
const modes = {
  requests: { env: { FLEET_STATISTICS: "requests" }, leastRatio: 0.97, maxCpu: 1.03 },
  usage: { env: { FLEET_STATISTICS: "usage" }, leastRatio: 0.97, maxCpu: 1.03 },
  rollout: { env: { ROLLOUT: "10" }, leastRatio: 0.98, maxCpu: 1.02 },
} as const;

const environments = {
  off: {},
  /** Nothing but another process: what the machine and the compiler make of the same program. */
  again: {},
  ...recordOf(namesOf(modes), (mode) => modes[mode].env),
} as const;
type Mode = keyof typeof environments;

/**
 * A busy vehicle worker with each kind of statistics, and while a release is rolled out, in turns. Each round starts
 * processes of its own, because two of the same program differ by several percent for as long as they live.
 */
export async function measureStatistics({
  report,
  seconds,
  rounds,
}: {
  readonly report: Report;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const kinds = ([10, 50] as const).map((apps) => ({ apps, rounds: [] as Awaited<ReturnType<typeof measureRound>>[] }));
  const names = namesOf(environments);
  for (let round = 0; round < rounds; round++) {
    const started: [Mode, Measured][] = [];
    for (const name of names) started.push([name, await startVehicleWorkerAlone(200, environments[name])]);
    const targets = Object.fromEntries(started) as Record<Mode, Measured>;
    for (const kind of kinds) kind.rounds.push(await measureRound(targets, kind.apps, seconds));
    for (const [, target] of started) await target.stop();
  }
  const rows: (string | number)[][] = [];
  for (const { apps, rounds: all } of kinds) {
    const counting = all.filter(({ counted }) => counted > 0);
    const used = counting.length > 0 ? counting : all;
    const resultsOf = (name: Mode) => used.flatMap(({ results }) => results[name]);
    const off = resultsOf("off");
    for (const mode of names.filter((name) => name !== "off")) {
      const own = resultsOf(mode);
      const ratio = against(own, off, (one) => one.perSecond);
      const cpu = against(own, off, (one) => one.cpu);
      if (mode !== "again") {
        const { leastRatio, maxCpu } = modes[mode];
        report.must(`processor time of an answer with ${mode} / off, ${apps} apps, gzip`, cpu, "≤", maxCpu);
        // Otherwise, the servers had time left, or other programs took theirs.
        if (counting.length > 0)
          report.must(`throughput with ${mode} / off, ${apps} apps, gzip`, ratio, "≥", leastRatio);
      }
      const typical = (of: typeof off, value: (one: (typeof off)[number]) => number) => median(of.map(value));
      const memory = (name: typeof mode | "off") => median(used.map(({ memory: all }) => all[name]));
      rows.push([
        ...[`${apps} apps, ${mode === "again" ? "off again" : mode}`],
        ...[typical(off, (one) => one.perSecond), typical(own, (one) => one.perSecond), ratio],
        ...[typical(off, (one) => one.cpu), typical(own, (one) => one.cpu), cpu],
        ...[typical(off, (one) => one.p99), typical(own, (one) => one.p99)],
        ...[memory("off"), memory(mode), counting.length],
      ]);
    }
  }
  report.table(
    `A busy vehicle worker with and without statistics (medians of ${rounds} rounds with processes of their own)`,
    [
      ...["request", "off /s", "with /s", "ratio", "off CPU µs", "with CPU µs", "ratio"],
      ...["off p99 ms", "with p99 ms", "off MiB", "with MiB", "rounds that count"],
    ],
    rows,
  );
}

async function measureRound(targets: Record<Mode, Measured>, apps: 10 | 50, seconds: number) {
  const bodies = Array.from({ length: 40 }, (_, vehicle) =>
    vehicleRequest(
      apps,
      Array.from({ length: apps }, (__, at) => distinctUuid((vehicle * apps + at * 7) % 200)),
    ),
  );
  const options = { bodies, isGzip: true, connections: 20, seconds, generators: 1 };
  const urlOf = ({ origin }: Measured) => origin + route;
  const names = namesOf(targets);
  // What reads requests runs 50 times a second, so it takes long until it is compiled.
  for (const name of names) await load({ ...options, url: urlOf(targets[name]), seconds: 2 * seconds });
  const { results, counted } = await takeTurns(targets, urlOf, options, 1);
  return { results, counted, memory: recordOf(names, (name) => targets[name].rss()) };
}

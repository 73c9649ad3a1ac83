import { namesOf } from "@/lib/vocabulary/members";
import { vehicleRequest } from "@/bench/requests";
import { distinctUuid } from "@/bench/distinct-apps";
import { load, median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { startVehicleWorkerAlone } from "@/bench/targets";
import { against, takeTurns } from "@/bench/worker-matrix";

const route = "/api/v1/production/policy";
/** Of the throughput without statistics and a rollout, and of the processor time (`fleet.md` S3, S12). */
const modes = {
  requests: { env: { FLEET_STATISTICS: "requests" }, leastRatio: 0.97, maxCpu: 1.03 },
  usage: { env: { FLEET_STATISTICS: "usage" }, leastRatio: 0.97, maxCpu: 1.03 },
  rollout: { env: { ROLLOUT: "10" }, leastRatio: 0.98, maxCpu: 1.02 },
} as const;

/** A busy vehicle worker with each kind of statistics, and while a release is rolled out, in turns. */
export async function measureStatistics({
  report,
  seconds,
  rounds,
}: {
  readonly report: Report;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const start = (env: Readonly<Record<string, string>>) => startVehicleWorkerAlone(200, env);
  const targets = {
    off: await start({}),
    requests: await start(modes.requests.env),
    usage: await start(modes.usage.env),
    rollout: await start(modes.rollout.env),
  };
  const rows: (string | number)[][] = [];
  for (const apps of [10, 50] as const) {
    const bodies = Array.from({ length: 40 }, (_, vehicle) =>
      vehicleRequest(
        apps,
        Array.from({ length: apps }, (__, at) => distinctUuid((vehicle * apps + at * 7) % 200)),
      ),
    );
    const options = { bodies, isGzip: true, connections: 20, seconds, generators: 1 };
    // What reads requests runs 50 times a second, so it takes long until it is compiled.
    for (const { origin } of Object.values(targets))
      await load({ ...options, url: origin + route, seconds: 5 * seconds });
    const { results, counted } = await takeTurns(targets, ({ origin }) => origin + route, options, rounds);
    const { off } = results;
    for (const mode of namesOf(modes)) {
      const { leastRatio, maxCpu } = modes[mode];
      const ratio = against(results[mode], off, (one) => one.perSecond);
      const cpu = against(results[mode], off, (one) => one.cpu);
      report.must(`processor time of an answer with ${mode} / off, ${apps} apps, gzip`, cpu, "≤", maxCpu);
      // Otherwise, the servers had time left, or other programs took theirs.
      if (counted > 0) report.must(`throughput with ${mode} / off, ${apps} apps, gzip`, ratio, "≥", leastRatio);
      const of = (all: typeof off, value: (one: (typeof off)[number]) => number) => median(all.map(value));
      rows.push([
        ...[`${apps} apps, ${mode}`, of(off, (one) => one.perSecond), of(results[mode], (one) => one.perSecond), ratio],
        ...[
          of(off, (one) => one.p99),
          of(results[mode], (one) => one.p99),
          targets.off.rss(),
          targets[mode].rss(),
          counted,
        ],
      ]);
    }
  }
  for (const target of Object.values(targets)) await target.stop();
  report.table(
    "A busy vehicle worker with and without statistics (medians)",
    ["request", "off /s", "with /s", "ratio", "off p99 ms", "with p99 ms", "off MiB", "with MiB", "rounds that count"],
    rows,
  );
}

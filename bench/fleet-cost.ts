import { vehicleRequest } from "@/bench/requests";
import { distinctUuid } from "@/bench/distinct-apps";
import { load, median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { startVehicleWorkerAlone } from "@/bench/targets";
import { against, takeTurns } from "@/bench/worker-matrix";

const route = "/api/v1/production/policy";
/** Of the throughput without statistics (`fleet.md` S3). */
const leastRatio = 0.97;
const maxCpu = 1.03;

/** A busy vehicle worker with each kind of statistics, in turns (`fleet.md` S3). */
export async function measureStatistics({
  report,
  seconds,
  rounds,
}: {
  readonly report: Report;
  readonly seconds: number;
  readonly rounds: number;
}): Promise<void> {
  const start = (mode: string) => startVehicleWorkerAlone(200, { FLEET_STATISTICS: mode });
  const targets = { off: await start("off"), requests: await start("requests"), usage: await start("usage") };
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
    for (const mode of ["requests", "usage"] as const) {
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

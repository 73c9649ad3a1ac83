import { cpus } from "node:os";
import { load, median } from "@/bench/load";
import { vehicleRequests } from "@/bench/requests";
import { stage, type Row } from "@/bench/faults/stage";

/** Requests per second of two vehicle workers compared with one, in turn. */
export async function measureTwoVehicleWorkers({ report, isShort }: Row) {
  const [seconds, rounds] = isShort ? [1, 1] : [3, 5];
  const [one, two] = [await stage({ env: { VEHICLE_WORKERS: "1" } }), await stage({ env: { VEHICLE_WORKERS: "2" } })];
  const results = { one: [] as number[], two: [] as number[] };
  let failed = 0;
  const measure = async (origin: string) => {
    const url = `${origin}/api/v1/production/policy`;
    const result = await load({ url, bodies: vehicleRequests(10, 200), isGzip: false, connections: 40, seconds });
    failed += result.failed;
    return result.perSecond;
  };
  for (let round = 0; round < rounds; round++) {
    results.one.push(await measure(one.origin));
    results.two.push(await measure(two.origin));
  }
  await one.stop();
  await two.stop();
  const [perSecond1, perSecond2] = [median(results.one), median(results.two)];
  const title = `Two vehicle workers against one (${cpus().length} cores shared with the load: an indication, no measure)`;
  report.table(
    title,
    ["VEHICLE_WORKERS=1 /s", "VEHICLE_WORKERS=2 /s", "ratio"],
    [[perSecond1, perSecond2, perSecond2 / perSecond1]],
  );
  report.must("two vehicle workers against one: requests failed", failed, "≤", 0);
  return { failed, ratio: perSecond2 / perSecond1 };
}

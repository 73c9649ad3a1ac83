import { setTimeout as wait } from "node:timers/promises";
import type { Span } from "@/bench/cars";
import { killAt, otherProcess, suspendAt } from "@/bench/faults/processes";
import { carsTo, causes, stage, type Row } from "@/bench/faults/stage";

/** Kills or stops one of two vehicle workers in turn. Only requests that it held may be lost. */
export async function measureVehicleWorkerKills({ report, isShort }: Row) {
  const [kills, stops] = isShort ? [4, 2] : [50, 10];
  const rounds = kills + stops;
  const server = await stage({ env: { VEHICLE_WORKERS: "2" } });
  const root = server.child.pid ?? 0;
  // Requests that a stopped vehicle worker holds are lost only when it is killed.
  const cars = await carsTo(server.origin, { isNewConnection: true, timeoutMs: 60_000 });
  const spans: Span[] = [];
  const killed = new Map([
    ["vehicle-worker-1", 0],
    ["vehicle-worker-2", 0],
  ]);
  for (let round = 0; round < rounds; round++) {
    const name = `vehicle-worker-${1 + (round % 2)}`;
    const { pid } = await otherProcess(root, name, killed.get(name) ?? 0);
    killed.set(name, pid);
    spans.push(await (round < kills ? killAt(pid) : suspendAt(pid)));
    await otherProcess(root, name, pid);
    // By then, each has worked for more than 5 s, and is restarted at once.
    await wait(isShort ? 2_000 : 3_500);
  }
  const result = await cars.stop(spans);
  await server.stop();
  const held = result.underWay.reduce((sum, count) => sum + count, 0);
  report.must(
    `one of two vehicle workers killed ${kills} and stopped ${stops} times: cars failed that it did not hold`,
    result.failedElsewhere,
    "≤",
    0,
  );
  report.must(
    `one of two vehicle workers killed ${kills} and stopped ${stops} times: cars failed, of ${held} under way`,
    result.failed,
    "≤",
    held,
  );
  report.table(
    "One of two vehicle workers ended by force, or stopped, under 200 cars a second",
    ["kills", "stops", "cars", "under way then", "failed", "of these elsewhere", "why", "p99 ms", "slowest ms"],
    [
      [
        ...[kills, stops, result.sent, held, result.failed, result.failedElsewhere],
        ...[causes(result.failures), result.p99, result.slowest],
      ],
    ],
  );
  return { failedElsewhere: result.failedElsewhere, failed: result.failed, held };
}

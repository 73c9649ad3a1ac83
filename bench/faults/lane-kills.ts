import { setTimeout as wait } from "node:timers/promises";
import type { Span } from "../cars";
import { killAt, otherProcess } from "./processes";
import { carsTo, causes, stage, type Row } from "./stage";

/** One of two lanes is ended by force, in turns: only what it held may be lost. */
export async function measureLaneKills({ report, isShort }: Row) {
  const rounds = isShort ? 4 : 50;
  const server = await stage({ env: { LANES: "2" } });
  const root = server.child.pid ?? 0;
  const cars = await carsTo(server.origin, { isNewConnection: true });
  const spans: Span[] = [];
  const killed = new Map([
    ["lane-1", 0],
    ["lane-2", 0],
  ]);
  for (let round = 0; round < rounds; round++) {
    const name = `lane-${1 + (round % 2)}`;
    const { pid } = await otherProcess(root, name, killed.get(name) ?? 0);
    killed.set(name, pid);
    spans.push(await killAt(pid));
    await otherProcess(root, name, pid);
    // Each has been of use for more than 5 s then, and is started again at once.
    await wait(isShort ? 2_000 : 3_500);
  }
  const result = await cars.stop(spans);
  await server.stop();
  const held = result.underWay.reduce((sum, count) => sum + count, 0);
  report.must(
    `one of two lanes killed ${rounds} times: cars failed that no killed lane held`,
    result.failedElsewhere,
    "≤",
    0,
  );
  report.must(`one of two lanes killed ${rounds} times: cars failed, of ${held} under way`, result.failed, "≤", held);
  report.table(
    "One of two lanes ended by force under 200 cars a second",
    ["kills", "cars", "under way at the kills", "failed", "of these elsewhere", "why", "p99 ms", "slowest ms"],
    [
      [
        ...[rounds, result.sent, held, result.failed, result.failedElsewhere],
        ...[causes(result.failures), result.p99, result.slowest],
      ],
    ],
  );
  return { failedElsewhere: result.failedElsewhere, failed: result.failed, held };
}

import { setTimeout as wait } from "node:timers/promises";
import { whenAnswered } from "@/test/support/processes";
import { median } from "../load";
import { killAt, otherProcess } from "./processes";
import { carsTo, causes, stage, type Row } from "./stage";

/** So long a process must have been of use to be started again at once, in milliseconds (rule N1). */
const steadyMs = 5_500;

/** The console is ended by force again and again: vehicles must not notice. */
export async function measureConsoleKills({ report, isShort }: Row) {
  const rounds = isShort ? 3 : 50;
  const server = await stage();
  const root = server.child.pid ?? 0;
  const cars = await carsTo(server.origin);
  const back: number[] = [];
  let pid = 0;
  for (let round = 0; round < rounds; round++) {
    ({ pid } = await otherProcess(root, "console", pid));
    const [from] = await killAt(pid);
    await otherProcess(root, "console", pid);
    await whenAnswered(`${server.origin}/version`);
    back.push(Date.now() - from);
    await wait(isShort ? 500 : steadyMs);
  }
  const result = await cars.stop();
  await server.stop();
  report.must(`console killed ${rounds} times under 200 cars/s: cars failed`, result.failed, "≤", 0);
  report.table(
    "The console ended by force under 200 cars a second",
    ["kills", "cars", "failed", "why", "p99 ms", "slowest ms", "console back after ms (median)", "at most ms"],
    [
      [
        ...[rounds, result.sent, result.failed, causes(result.failures), result.p99, result.slowest],
        ...[median(back), Math.max(...back)],
      ],
    ],
  );
  return { failed: result.failed, rounds: back.length };
}

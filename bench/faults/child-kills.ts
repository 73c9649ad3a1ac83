import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startSecondEngine } from "@/test/support/second-engine";
import type { Measured } from "@/test/support/processes";
import { median } from "@/bench/load";
import { startSaver } from "@/bench/faults/api-watch";
import { killAt, otherProcess, suspendAt } from "@/bench/faults/processes";
import { carsTo, causes, endLater, stage, startServer, type Row } from "@/bench/faults/stage";

/** How long a process must run to be restarted without delay, in milliseconds (rule N1). */
const steadyMs = 5_500;

/** Which process to kill, and where the data is. */
interface Scene {
  readonly name: string;
  readonly process: "console" | "database";
  readonly start: () => Promise<Measured>;
}

/** How often to end a process of each scene. */
interface Rounds {
  readonly kills: number;
  readonly stops: number;
}

const scenes: readonly Scene[] = [
  { name: "the console", process: "console", start: () => stage() },
  { name: "the embedded database", process: "database", start: () => stage() },
  { name: "the console, data in the second engine", process: "console", start: stageOnSecondEngine },
];

/**
 * Processes that vehicles do not need are killed or stopped repeatedly, under continuous saves, so that most die during a
 * transaction. Vehicles must not be affected, saves must soon succeed again, and nothing saved may be lost.
 */
export async function measureChildKills({
  report,
  isShort,
  kills = isShort ? 3 : 50,
  stops = isShort ? 1 : 10,
}: Row & Partial<Rounds>) {
  const rows = [];
  let [failed, lost, recovered] = [0, 0, 0];
  for (const scene of isShort ? scenes.slice(0, 2) : scenes) {
    const server = await scene.start();
    const root = server.child.pid ?? 0;
    const cars = await carsTo(server.origin);
    const saver = startSaver(server.origin);
    endLater(() => saver.end());
    const recoveries = { killed: [] as number[], stopped: [] as number[] };
    let pid = 0;
    for (let round = 0; round < kills + stops; round++) {
      ({ pid } = await otherProcess(root, scene.process, pid));
      // At varying moments of a save.
      await wait(Math.random() * 100);
      const kind = round < kills ? "killed" : "stopped";
      await (kind === "killed" ? killAt : suspendAt)(pid);
      const took = await saver.nextSave();
      recoveries[kind].push(took);
      console.error(`${new Date().toISOString()} ${scene.name} ${kind}: ${took} ms`);
      await otherProcess(root, scene.process, pid);
      await wait(isShort ? 500 : steadyMs);
    }
    const saves = await saver.stop();
    const result = await cars.stop();
    await server.stop();
    failed += result.failed;
    lost += saves.lost;
    recovered += recoveries.killed.length + recoveries.stopped.length;
    const what = `${scene.name} killed ${kills} and stopped ${stops} times under 200 cars/s`;
    const slowest = Math.max(...recoveries.killed, ...recoveries.stopped);
    report.must(`${what}: cars failed`, result.failed, "≤", 0);
    report.must(`${what}: acknowledged saves lost, of ${saves.acknowledged}`, saves.lost, "≤", 0);
    report.must(`${what}: slowest next save after its end`, slowest / 1000, "≤", 3, "s");
    rows.push([
      ...[scene.name, kills, stops, result.sent, result.failed, causes(result.failures), result.p99, result.slowest],
      ...[median(recoveries.killed), Math.max(...recoveries.killed)],
      ...[median(recoveries.stopped), Math.max(...recoveries.stopped)],
    ]);
  }
  report.table(
    "Processes that answer no vehicles, ended by force or stopped under 200 cars a second and saves without a pause",
    [
      ...["process", "kills", "stops", "cars", "failed", "why", "p99 ms", "slowest ms"],
      ...["next save after a kill, median ms", "at most", "after the end of a stopped one, median ms", "at most"],
    ],
    rows,
  );
  return { failed, lost, recovered };
}

/** A server with initial data in the second engine. */
async function stageOnSecondEngine(): Promise<Measured> {
  const dataDir = mkdtempSync(path.join(tmpdir(), "faults-"));
  endLater(() => rmSync(dataDir, { recursive: true, force: true }));
  const engine = await startSecondEngine(path.join(dataDir, "second-engine"));
  endLater(() => engine.kill());
  return startServer({ dataDir, env: { MONGODB_URI: engine.uri } });
}

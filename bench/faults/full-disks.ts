import { spawn, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Measured } from "@/test/support/processes";
import { mountSmallDisk } from "@/test/support/small-disk";
import type { CarResult } from "@/bench/cars";
import { writeGroup } from "@/bench/faults/api-watch";
import { carsTo, causes, copyOfData, endLater, startServer, type Row } from "@/bench/faults/stage";

/** Every request is logged, so that there is something to write. The stop takes its usual time. */
const env = { LOG_LEVEL: "debug", DRAIN_SECONDS: "5" };

interface Scene {
  readonly server: Measured;
  /** Causes the fault. */
  readonly strike: () => Promise<void> | void;
}

/** Unread logs and full disks: vehicles still get responses, and a stop takes no longer than usual. */
export async function measureFullDisks({ report, isShort }: Row) {
  const seconds = isShort ? 4 : 30;
  const scenes = {
    "log disk full": logDiskFull,
    "log reader stopped": logReaderStopped,
    "data disk full": dataDiskFull,
  };
  const rows = [];
  const sums = { failed: 0, scenes: 0, written: 0, unfinished: 0 };
  for (const [name, prepare] of Object.entries(scenes)) {
    const scene = await prepare();
    if (scene === null) continue;
    const { result, stopSeconds, status, writes } = await measure(scene, seconds);
    sums.scenes++;
    sums.failed += result.failed;
    sums.unfinished += status === 0 ? 0 : 1;
    if (name !== "data disk full") sums.written += writes === 200 ? 1 : 0;
    rows.push([
      ...[name, result.sent, result.failed, causes(result.failures), result.p99, result.slowest],
      ...[writes, stopSeconds, status],
    ]);
    report.must(`${name}: cars failed`, result.failed, "≤", 0);
    report.must(`${name}: stop`, stopSeconds, "≤", 15, "s");
  }
  const columns = [
    "what",
    "cars",
    "failed",
    "why",
    "p99 ms",
    "slowest ms",
    "a write meanwhile",
    "stop s",
    "exit status",
  ];
  report.table("Logs that nobody takes, disks without space, under 200 cars a second (DRAIN_SECONDS=5)", columns, rows);
  return sums;
}

async function measure({ server, strike }: Scene, seconds: number) {
  const cars = await carsTo(server.origin);
  await wait(1_000);
  await strike();
  await wait(seconds * 1000);
  const answer = await writeGroup(server.origin);
  await answer.body?.cancel();
  const result: CarResult = await cars.stop();
  const start = performance.now();
  await server.stop();
  const stopSeconds = (performance.now() - start) / 1000;
  return { result, stopSeconds, status: server.child.exitCode ?? -1, writes: answer.status };
}

async function logDiskFull(): Promise<Scene | null> {
  const disk = mountSmallDisk(8);
  if (disk === null) return null;
  endLater(() => disk.unmount());
  const dataDir = await copyOfData(200);
  const server = await startServer({ dataDir, env, output: openSync(path.join(disk.folder, "server.log"), "a") });
  return { server, strike: () => disk.fill() };
}

async function logReaderStopped(): Promise<Scene> {
  const dataDir = await copyOfData(200);
  // Reads until it is stopped.
  const reader: ChildProcess = spawn("cat", { stdio: ["pipe", "ignore", "ignore"] });
  const pipe = (reader.stdin as unknown as { readonly _handle: { readonly fd: number } })._handle.fd;
  const server = await startServer({ dataDir, env, output: pipe });
  endLater(() => reader.kill("SIGKILL"));
  return { server, strike: () => void reader.kill("SIGSTOP") };
}

async function dataDiskFull(): Promise<Scene | null> {
  const disk = mountSmallDisk(32);
  if (disk === null) return null;
  endLater(() => disk.unmount());
  cpSync(await copyOfData(200), disk.folder, { recursive: true });
  const logs = mkdtempSync(path.join(tmpdir(), "faults-log-"));
  endLater(() => rmSync(logs, { recursive: true, force: true }));
  const output = openSync(path.join(logs, "server.log"), "a");
  const server = await startServer({ dataDir: disk.folder, env, output });
  const strike = async () => {
    // Also fills space that others free in the meantime, e.g. by deleting a partial snapshot.
    for (let attempt = 0; attempt < 10; attempt++) {
      disk.fill();
      await writeGroup(server.origin).then((response) => response.body?.cancel());
    }
    disk.fill();
  };
  return { server, strike };
}

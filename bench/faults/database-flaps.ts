import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { DatabaseProxy } from "@/test/support/database-proxy";
import { median } from "@/bench/load";
import { watchApi, writeGroup } from "@/bench/faults/api-watch";
import { DatabaseProgram } from "@/bench/faults/embedded-database";
import { processesOf } from "@/bench/faults/processes";
import { carsTo, causes, copyOfData, endLater, startServer, type Row } from "@/bench/faults/stage";

/** A process that does not work again after this many milliseconds is stuck. */
const stuckMs = 30_000;
/** Maximum time that the bench waits. */
const timeoutMs = 150_000;

/**
 * Killed and restarted; stopped and continued; behind a network that holds everything back and then delivers it, or one that
 * delivers only on new connections; and with connections closed in an orderly way.
 */
const kinds = ["kill", "stop", "blackhole", "forgotten", "FIN"] as const;

/** MongoDB goes away and comes back under load. Every process must reconnect, and vehicles must not be affected. */
export async function measureDatabaseFlaps({ report, isShort }: Row) {
  const rounds = isShort ? kinds.length : 100;
  const dataDir = await copyOfData(200);
  const database = new DatabaseProgram(path.join(dataDir, "database"));
  const proxy = new DatabaseProxy(await database.start());
  endLater(() => database.end());
  await proxy.open();
  endLater(() => proxy.shut());
  const uri = `mongodb://127.0.0.1:${proxy.port}/?directConnection=true&retryWrites=false`;
  const server = await startServer({ dataDir, env: { MONGODB_URI: uri } });
  const root = server.child.pid ?? 0;
  const consoles = new Set<number>();
  const cars = await carsTo(server.origin);
  await timeToWork(server.origin);
  const api = watchApi(server.origin);
  endLater(() => api.stop());
  const recoveries = new Map(kinds.map((kind) => [kind, [] as number[]]));
  for (let round = 0; round < rounds; round++) {
    const kind = kinds[round % kinds.length] ?? "kill";
    await flap(kind, Math.floor(round / kinds.length) % 2 === 0 ? 1_000 : 4_000);
    const took = await timeToWork(server.origin);
    console.error(`${new Date().toISOString()} ${kind} ${Math.round(took)} ms`);
    recoveries.get(kind)?.push(took);
    for (const { name, pid } of processesOf(root)) if (name === "console") consoles.add(pid);
    await wait(isShort ? 200 : 1_000);
  }
  const answers = await api.stop();
  const result = await cars.stop();
  await server.stop();

  const all = [...recoveries.values()].flat();
  const stuck = all.filter((ms) => ms > stuckMs).length;
  report.must(`database flapped ${rounds} times: stuck for more than ${stuckMs / 1000} s`, stuck, "≤", 0);
  report.must(`database flapped ${rounds} times: cars failed`, result.failed, "≤", 0);
  report.must(`database flapped ${rounds} times: slowest 503 of the API`, answers.slowest503 / 1000, "≤", 3, "s");
  report.must(`database flapped ${rounds} times: API answers other than 200 and 503`, answers.others.length, "≤", 0);
  report.table(
    "A MongoDB that comes and goes: from its return until the API reads and writes and vehicle workers serve what was written, ms",
    ["kind", "times", "median", "slowest"],
    kinds.map((kind) => {
      const times = recoveries.get(kind) ?? [];
      return [kind, times.length, median(times), Math.max(...times)];
    }),
  );
  report.table(
    "The same: cars and administrators meanwhile",
    ["cars", "failed", "why", "p99 ms", "API 200", "503", "others", "slowest ms", "consoles started again"],
    [
      [
        ...[result.sent, result.failed, causes(result.failures), result.p99, answers.ok, answers.unavailable],
        ...[answers.others.length, answers.slowest, consoles.size - 1],
      ],
    ],
  );
  return { failed: result.failed, stuck, unavailable: answers.unavailable, others: answers.others.length };

  async function flap(kind: (typeof kinds)[number], awayMs: number): Promise<void> {
    if (kind === "kill") await database.kill();
    if (kind === "stop") database.pause();
    if (kind === "blackhole" || kind === "forgotten") proxy.silence();
    if (kind === "FIN") proxy.finish();
    else await wait(awayMs);
    if (kind === "kill") await database.start();
    if (kind === "stop") database.resume();
    if (kind === "blackhole") proxy.speak();
    if (kind === "forgotten") proxy.speakToNew();
  }
}

/** Milliseconds until reads and writes succeed, and vehicles get what was written. */
async function timeToWork(origin: string): Promise<number> {
  const start = performance.now();
  const before = await revisionOf(origin);
  let isWritten = false;
  for (;;) {
    const took = performance.now() - start;
    if (took > timeoutMs) throw new Error(`the server does not work ${timeoutMs / 1000} s after the database is back`);
    isWritten ||= await isOk(() => writeGroup(origin));
    if (isWritten && (await isOk(() => fetch(`${origin}/api/v1/groups/names`))) && (await revisionOf(origin)) > before)
      return performance.now() - start;
    await wait(20);
  }
}

async function revisionOf(origin: string): Promise<number> {
  return ((await (await fetch(`${origin}/health/ready`)).json()) as { revision: number }).revision;
}

async function isOk(send: () => Promise<Response>): Promise<boolean> {
  const response = await send().catch(() => null);
  await response?.body?.cancel();
  return response?.status === 200;
}

import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { stopProcess, type Measured } from "@/test/support/processes";
import { isListening, startShippedProxy } from "@/test/support/shipped-proxy";
import type { CarResult } from "@/bench/cars";
import { startSaver } from "@/bench/faults/api-watch";
import { carsTo, causes, copyOfData, endLater, startServer, type Row } from "@/bench/faults/stage";

/** Time until a proxy notices that an instance is back, in milliseconds: one checks every second, one waits for two. */
const noticedMs = 2_500;

/** Two instances are stopped and started in turn, behind a proxy that follows their readiness (rule N12). */
export async function measureRollingRestart({ report, isShort }: Row) {
  const signals = turns("SIGTERM", isShort ? 2 : 20);
  const { result, ...stops } = await restartInTurns(signals, 5, async (ports) => {
    const proxy = fork("bench/faults/readiness-proxy.ts", ports.map(String), { execArgv: ["--import", "tsx"] });
    endLater(() => stopProcess(proxy, "SIGTERM"));
    const [{ port }] = (await once(proxy, "message")) as [{ readonly port: number }];
    return `http://127.0.0.1:${port}`;
  });
  const count = signals.length;
  report.must(`SIGTERM × ${count} behind a proxy that follows readiness: requests lost`, result.failed, "≤", 0);
  report.must(`SIGTERM × ${count}: stops with a status other than 0`, stops.forced, "≤", 0);
  const title = "Two instances stopped in turns (DRAIN_SECONDS=5) behind a proxy that asks for readiness every second";
  report.table(title, columns, [rowOf(signals, result, stops.longest)]);
  return { failed: result.failed, forced: stops.forced };
}

/** The same behind nginx as configured in `deploy/compose`, which checks no readiness. Also kills instances. */
export async function measureShippedProxy({ report, isShort }: Row) {
  const signals = [...turns("SIGTERM", isShort ? 2 : 10), ...turns("SIGKILL", isShort ? 1 : 10)];
  const { result, ...stops } = await restartInTurns(signals, isShort ? 1 : 5, async (ports) => {
    const proxy = await startShippedProxy(ports);
    endLater(() => proxy.stop());
    return proxy.origin;
  });
  report.must(
    `SIGTERM and SIGKILL × ${signals.length} behind the proxy of compose: requests lost`,
    result.failed,
    "≤",
    0,
  );
  const { acknowledged, refused } = stops.saves;
  report.must(`SIGTERM behind the proxy of compose: saves refused or lost, of ${acknowledged}`, refused, "≤", 0);
  report.table("Two instances stopped, then killed in turns behind the nginx of deploy/compose", columns, [
    rowOf(signals, result, stops.longest),
  ]);
  return { failed: result.failed, forced: stops.forced, refused };
}

const turns = (signal: NodeJS.Signals, count: number) => Array.from({ length: count }, () => signal);
const columns = ["stops", "cars", "lost", "why", "p99 ms", "slowest ms", "longest stop s"];
const rowOf = (signals: readonly string[], { sent, failed, failures, p99, slowest }: CarResult, longest: number) => [
  ...[signals.length, sent, failed, causes(failures), p99, slowest, longest],
];

/** Ends one instance after the other, and restarts each, under 200 cars per second and saves without a pause. */
async function restartInTurns(
  signals: readonly NodeJS.Signals[],
  drainSeconds: number,
  startProxy: (ports: readonly number[]) => Promise<string>,
) {
  const folders = [await copyOfData(200), await copyOfData(200)];
  const env = { DRAIN_SECONDS: String(drainSeconds), TRUST_PROXY_ADDRESSES: "127.0.0.0/8" };
  const instances: Measured[] = [];
  for (const dataDir of folders) instances.push(await startServer({ dataDir, env }));
  const ports = instances.map(({ origin }) => Number(new URL(origin).port));
  const origin = await startProxy(ports);
  await wait(noticedMs);
  const cars = await carsTo(origin);
  const saver = startSaver(origin);
  endLater(() => saver.end());
  const stops: number[] = [];
  let forced = 0;
  for (const [round, signal] of signals.entries()) {
    const at = round % instances.length;
    const [instance, dataDir = "", port = 0] = [instances[at], folders[at], ports[at]];
    if (instance === undefined) throw new Error("there is no such instance");
    // A save that was sent to a killed instance is never repeated.
    if (signal === "SIGKILL") await saver.end();
    const start = performance.now();
    await instance.stop(signal);
    stops.push((performance.now() - start) / 1000);
    if (signal === "SIGTERM" && instance.child.exitCode !== 0) forced++;
    // Processes left by a killed `main` end on their own a moment later.
    while (await isListening(port)) await wait(20);
    instances[at] = await startServer({ dataDir, env, port });
    await wait(noticedMs);
  }
  return { result: await cars.stop(), saves: await saver.end(), forced, longest: Math.max(...stops) };
}

import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { stopProcess, type Measured } from "@/test/support/processes";
import { isListening, shippedProxies, startShippedProxy } from "@/test/support/shipped-proxy";
import type { CarResult, Cars } from "@/bench/cars";
import { startSaver } from "@/bench/faults/api-watch";
import { carsTo, causes, copyOfData, endLater, startServer, type Row } from "@/bench/faults/stage";

/** Time until a proxy notices that an instance is back, in milliseconds: one checks every second, one waits for two. */
const noticedMs = 2_500;

/** Two instances are stopped and started in turn, behind a proxy that follows their readiness (rule N12). */
export async function measureRollingRestart({ report, isShort }: Row) {
  const signals = turns("SIGTERM", isShort ? 2 : 20);
  const { behind, ...stops } = await restartInTurns(signals, 5, async (ports) => {
    const proxy = fork("bench/faults/readiness-proxy.ts", ports.map(String), { execArgv: ["--import", "tsx"] });
    endLater(() => stopProcess(proxy, "SIGTERM"));
    const [{ port }] = (await once(proxy, "message")) as [{ readonly port: number }];
    return { readiness: `http://127.0.0.1:${port}` };
  });
  const [count, failed] = [signals.length, behind.reduce((sum, { cars }) => sum + cars.failed, 0)];
  report.must(`SIGTERM × ${count} behind a proxy that follows readiness: requests lost`, failed, "≤", 0);
  report.must(`SIGTERM × ${count}: stops with a status other than 0`, stops.forced, "≤", 0);
  const title = "Two instances stopped in turns (DRAIN_SECONDS=5) behind a proxy that asks for readiness every second";
  report.table(title, columns, rowsOf(behind, signals, stops.longest));
  return { failed, forced: stops.forced };
}

/** The same behind the proxies of `deploy/compose` that are installed, all at once. Also kills instances. */
export async function measureShippedProxies({ report, isShort }: Row) {
  const signals = [...turns("SIGTERM", isShort ? 2 : 10), ...turns("SIGKILL", isShort ? 1 : 10)];
  // A proxy that asks every second needs more than one.
  const { behind, ...stops } = await restartInTurns(signals, isShort ? 3 : 5, async (ports) => {
    const origins: Record<string, string> = {};
    for (const shipped of shippedProxies) {
      const proxy = await startShippedProxy(shipped, ports);
      endLater(() => proxy.stop());
      origins[shipped.name] = proxy.origin;
    }
    return origins;
  });
  for (const { proxy, cars, saves } of behind) {
    report.must(`SIGTERM and SIGKILL × ${signals.length} behind ${proxy}: requests lost`, cars.failed, "≤", 0);
    const { acknowledged, refused } = saves;
    report.must(`SIGTERM behind ${proxy}: saves refused or lost, of ${acknowledged}`, refused, "≤", 0);
  }
  const title = "Two instances stopped, then killed in turns behind the proxies of deploy/compose";
  report.table(title, columns, rowsOf(behind, signals, stops.longest));
  const lost = behind.map(({ proxy, cars, saves }) => ({ proxy, failed: cars.failed, refused: saves.refused }));
  return { forced: stops.forced, lost };
}

interface Behind {
  readonly proxy: string;
  readonly cars: CarResult;
  readonly saves: { readonly acknowledged: number; readonly refused: number };
}

const turns = (signal: NodeJS.Signals, count: number) => Array.from({ length: count }, () => signal);
const columns = ["proxy", "stops", "cars", "lost", "why", "p99 ms", "slowest ms", "longest stop s"];
const rowsOf = (behind: readonly Behind[], { length }: readonly string[], longest: number) =>
  behind.map(({ proxy, cars: { sent, failed, failures, p99, slowest } }) => [
    ...[proxy, length, sent, failed, causes(failures), p99, slowest, longest],
  ]);

/** Ends one instance after the other, and restarts each, under 200 cars per second and saves without a pause through each proxy. */
async function restartInTurns(
  signals: readonly NodeJS.Signals[],
  drainSeconds: number,
  startProxies: (ports: readonly number[]) => Promise<Readonly<Record<string, string>>>,
) {
  const folders = [await copyOfData(200), await copyOfData(200)];
  const env = { DRAIN_SECONDS: String(drainSeconds), TRUST_PROXY_ADDRESSES: "127.0.0.0/8" };
  const instances: Measured[] = [];
  for (const dataDir of folders) instances.push(await startServer({ dataDir, env }));
  const ports = instances.map(({ origin }) => Number(new URL(origin).port));
  const origins = await startProxies(ports);
  await wait(noticedMs);
  const clients: { readonly proxy: string; readonly cars: Cars; readonly saver: ReturnType<typeof startSaver> }[] = [];
  const named = Object.entries(origins);
  for (const [proxy, origin] of named) {
    const saver = startSaver(origin);
    endLater(() => saver.end());
    clients.push({ proxy, cars: await carsTo(origin, { perSecond: 200 / named.length }), saver });
  }
  const stops: number[] = [];
  let forced = 0;
  for (const [round, signal] of signals.entries()) {
    const at = round % instances.length;
    const [instance, dataDir = "", port = 0] = [instances[at], folders[at], ports[at]];
    if (instance === undefined) throw new Error("there is no such instance");
    // A save that was sent to a killed instance is never repeated.
    if (signal === "SIGKILL") for (const { saver } of clients) await saver.end();
    const start = performance.now();
    await instance.stop(signal);
    stops.push((performance.now() - start) / 1000);
    if (signal === "SIGTERM" && instance.child.exitCode !== 0) forced++;
    // Processes left by a killed `main` end on their own a moment later.
    while (await isListening(port)) await wait(20);
    instances[at] = await startServer({ dataDir, env, port });
    await wait(noticedMs);
  }
  const behind: Behind[] = [];
  for (const { proxy, cars, saver } of clients)
    behind.push({ proxy, cars: await cars.stop(), saves: await saver.end() });
  return { behind, forced, longest: Math.max(...stops) };
}

import { fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { stopProcess, type Measured } from "@/test/support/processes";
import { carsTo, causes, copyOfData, endLater, startServer, type Row } from "./stage";

/** The proxy asks every second: after so long it knows that an instance is back, in milliseconds. */
const noticedMs = 2_500;

/** Two instances are stopped and started in turns behind a proxy that follows their readiness (rule N12). */
export async function measureRollingRestart({ report, isShort }: Row) {
  const rounds = isShort ? 2 : 20;
  const folders = [await copyOfData(200), await copyOfData(200)];
  const env = { DRAIN_SECONDS: "5", TRUST_PROXY: "1" };
  const instances: Measured[] = [];
  for (const dataDir of folders) instances.push(await startServer({ dataDir, env }));
  const ports = instances.map(({ origin }) => new URL(origin).port);
  const proxy = fork("bench/faults/readiness-proxy.ts", ports, { execArgv: ["--import", "tsx"] });
  endLater(() => stopProcess(proxy, "SIGTERM"));
  const [{ port }] = (await once(proxy, "message")) as [{ readonly port: number }];
  await wait(noticedMs);
  const cars = await carsTo(`http://127.0.0.1:${port}`);
  const stops: number[] = [];
  let forced = 0;
  for (let round = 0; round < rounds; round++) {
    const at = round % instances.length;
    const [instance, dataDir = ""] = [instances[at], folders[at]];
    if (instance === undefined) throw new Error("there is no such instance");
    const start = performance.now();
    await instance.stop("SIGTERM");
    stops.push((performance.now() - start) / 1000);
    if (instance.child.exitCode !== 0) forced++;
    instances[at] = await startServer({ dataDir, env, port: Number(ports[at]) });
    await wait(noticedMs);
  }
  const result = await cars.stop();
  report.must(`SIGTERM × ${rounds} behind a proxy that follows readiness: requests lost`, result.failed, "≤", 0);
  report.must(`SIGTERM × ${rounds}: stops with a status other than 0`, forced, "≤", 0);
  report.table(
    "Two instances stopped in turns (DRAIN_SECONDS=5) behind a proxy that asks for readiness every second",
    ["stops", "cars", "lost", "why", "p99 ms", "slowest ms", "longest stop s"],
    [
      [
        ...[rounds, result.sent, result.failed, causes(result.failures)],
        ...[result.p99, result.slowest, Math.max(...stops)],
      ],
    ],
  );
  return { failed: result.failed, forced };
}

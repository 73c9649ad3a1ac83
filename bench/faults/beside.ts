import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import autocannon from "autocannon";
import type { Measured } from "@/test/support/processes";
import { startDirectory, syncEnded } from "@/bench/directory-targets";
import type { CarResult } from "@/bench/cars";
import { carsTo, causes, endLater, stage, type Row } from "@/bench/faults/stage";
import { post } from "@/bench/calls";

const password = "a password for this bench";

/** Work that runs next to the cars. Returns other results, for the table. */
type Work = (server: Measured, seconds: number) => Promise<string>;

interface Scene {
  readonly name: string;
  readonly apps: number;
  readonly env: Readonly<Record<string, string>>;
  readonly work: Work;
}

/** 200 cars per second next to the kinds of work that delayed vehicles when everything was one process. */
export async function measureBeside({ report, isShort }: Row) {
  const apps = isShort ? 200 : 10_000;
  const seconds = isShort ? 3 : 20;
  const directory = await startDirectory(isShort ? 500 : 10_000);
  const large = await startDirectory(50);
  for (const one of [directory, large]) endLater(() => one.stop());
  const basic = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password };
  const scenes: Scene[] = [
    { name: "nothing else", apps, env: {}, work: idle },
    { name: "100 clients on /login", apps, env: basic, work: logins },
    { name: "400 administration reads at once", apps, env: {}, work: reads },
    { name: "a first sync of 10,000 apps", apps: 200, env: directory.env, work: firstSync },
    { name: "a directory that answers 18 MB", apps, env: large.env, work: largeAnswers(large.child) },
  ];
  const rows = [];
  let failed = 0;
  for (const scene of scenes) {
    const { result, found } = await measureScene(scene, seconds);
    failed += result.failed;
    rows.push([
      ...[scene.name, result.sent, result.failed, causes(result.failures)],
      ...[result.p50, result.p99, result.slowest, found],
    ]);
    report.must(`200 cars/s beside ${scene.name}: failed`, result.failed, "≤", 0);
    report.must(`200 cars/s beside ${scene.name}: p99`, result.p99, "≤", 50, "ms");
  }
  await directory.stop();
  await large.stop();
  const columns = ["beside", "cars", "failed", "why", "p50 ms", "p99 ms", "slowest ms", "the others"];
  report.table("200 cars a second, and what else is asked at the same time", columns, rows);
  return { failed };
}

async function measureScene(
  { apps, env, work }: Scene,
  seconds: number,
): Promise<{ readonly result: CarResult; readonly found: string }> {
  const server = await stage({ apps, env: { ...env, AUTO_APPROVE_ALL_APPS: "true" } });
  await settled(server);
  const cars = await carsTo(server.origin, { apps });
  const found = await work(server, seconds);
  const result = await cars.stop();
  await server.stop();
  return { result, found };
}

/** Another row measures starts. A first sync begins as soon as there is a database, and is not awaited. */
async function settled({ origin }: Measured): Promise<void> {
  const isReady = async () =>
    ((await (await fetch(`${origin}/health/ready`)).json()) as { state: string }).state === "ready";
  while (!(await isReady())) await wait(20);
}

const idle: Work = async (_server, seconds) => {
  await wait(seconds * 1000);
  return "–";
};

const logins: Work = ({ origin }, seconds) => askAll({ url: `${origin}/login`, connections: 100, duration: seconds });

const reads: Work = ({ origin }, seconds) => {
  const paths = ["applications?limit=50", "groups", "messages", "vehicle-data", "audit", "about"];
  const requests = paths.map((path) => ({ path: `/api/v1/${path}` }));
  return askAll({ url: origin, requests, connections: 400, duration: seconds });
};

/** 503 counts as a response: the console refuses more than it can do at once. */
async function askAll(options: autocannon.Options): Promise<string> {
  const result = await autocannon({ timeout: 30, ...options });
  const counts = `${result["2xx"]} × 2xx, ${result["5xx"]} × 5xx`;
  return `${counts}, ${result.errors} without an answer, p99 ${result.latency.p99} ms`;
}

const firstSync: Work = async (server) => {
  const seconds = await syncEnded(server);
  return `sync in ${seconds.toFixed(1)} s`;
};

function largeAnswers(child: Awaited<ReturnType<typeof startDirectory>>["child"]): Work {
  return async (server, seconds) => {
    await syncEnded(server);
    child.send({ fault: { kind: "huge", bytes: 18_000_000 } });
    await once(child, "message");
    const until = performance.now() + seconds * 1000;
    let syncs = 0;
    while (performance.now() < until) {
      const started = await post(`${server.origin}/api/v1/ui/sync`, {});
      await started.body?.cancel();
      if (started.ok) syncs++;
      else if (started.status !== 409) throw new Error(`the sync was refused: ${started.status}`);
      await wait(200);
    }
    return `${syncs} × asked to synchronise`;
  };
}

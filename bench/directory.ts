import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { Measured } from "@/test/support/processes";
import {
  applications,
  revisionOf,
  startDirectory,
  startServer,
  startSync,
  storedApps,
  syncEnded,
  watchMemory,
} from "@/bench/directory-targets";
import { send } from "@/bench/calls";
import { load, median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { vehicleRequest } from "@/bench/requests";

const route = "/api/v1/staging/policy";
const max = 10_000;

export interface DirectoryBench {
  readonly report: Report;
  readonly seconds: number;
  readonly rounds: number;
}

/** The cost of a sync with the directory, and its effect on vehicles. */
export async function measureDirectory({ report, seconds, rounds }: DirectoryBench): Promise<void> {
  const rows = [];
  for (const apps of [200, 2_000, max]) {
    const { first, second, peak } = await measureSync(apps);
    rows.push([apps, first, second, apps / first, peak]);
    if (apps !== max) continue;
    report.must(`first sync of ${apps} apps`, first, "≤", 8, "s");
    report.must(`resident memory during the first sync of ${apps} apps`, peak, "≤", 450, "MiB");
  }
  const columns = ["apps", "first sync s", "second sync s", "apps/s", "peak memory MiB"];
  report.table("Synchronisation with the app directory, nothing else to do", columns, rows);
  await measureVehicleWorkerMeanwhile(report, seconds);
  await measureWebhooks(report, rounds * 5);
}

/** A first sync into an empty database, and one that finds nothing new. */
async function measureSync(apps: number): Promise<{ first: number; second: number; peak: number }> {
  const directory = await startDirectory(apps);
  const { server, end } = await startServer(directory);
  const memory = watchMemory(server);
  const first = await syncEnded(server);
  if ((await storedApps(server)) !== apps) throw new Error(`not all of ${apps} apps are stored`);
  await wait(2_000);
  const revision = await revisionOf(server);
  await startSync(server);
  const second = await syncEnded(server);
  if ((await revisionOf(server)) !== revision) throw new Error("a sync without changes raised the revision");
  const peak = memory.end();
  await end();
  await directory.stop();
  return { first, second, peak };
}

/** Vehicles request ten known apps while thousands of others arrive. */
async function measureVehicleWorkerMeanwhile(report: Report, seconds: number): Promise<void> {
  const few = await startDirectory(200);
  const { server, end } = await startServer(few);
  await syncEnded(server);
  const known = (await applications(server, "limit=50")).slice(0, 10).map(({ uuid }) => uuid);
  const ask = { url: server.origin + route, bodies: [vehicleRequest(10, known)], isGzip: false, connections: 20 };
  await load({ ...ask, seconds: 1 });
  const idle = await load({ ...ask, seconds });
  await few.stop();

  const many = await startDirectory(max, few.port);
  const memory = watchMemory(server);
  await startSync(server);
  const over = new AbortController();
  const ended = syncEnded(server).finally(() => over.abort());
  const during = [];
  while (!over.signal.aborted) during.push(await load({ ...ask, seconds: 1 }));
  const took = await ended;
  // The last second is partly without a sync.
  const counted = during.length > 1 ? during.slice(0, -1) : during;
  const perSecond = counted.reduce((sum, one) => sum + one.perSecond, 0) / counted.length;
  const failed = during.reduce((sum, one) => sum + one.failed, 0);
  report.must(`vehicle worker during the sync of ${max} apps against idle`, perSecond / idle.perSecond, "≥", 0.5);
  report.must(`failed vehicle requests during the sync of ${max} apps`, failed, "≤", 0);
  const p99 = Math.max(...counted.map((one) => one.p99));
  report.table(
    `Vehicle worker while ${max} apps arrive (10 apps, plain, 20 connections)`,
    ["", "answers /s", "p50 ms", "p99 ms", "sync s", "peak memory MiB"],
    [
      ["idle", idle.perSecond, idle.p50, idle.p99, "", ""],
      ["during the sync", perSecond, median(counted.map((one) => one.p50)), p99, took, memory.end()],
    ],
  );
  await end();
  await many.stop();
}

/** From the announcement of a new app until a vehicle in staging gets its entry. */
async function measureWebhooks(report: Report, samples: number): Promise<void> {
  const directory = await startDirectory(2_000);
  const { server, end } = await startServer(directory);
  await syncEnded(server);
  const times: number[] = [];
  for (let sample = 0; sample < samples; sample++) {
    const uuid = randomUUID();
    const body = vehicleRequest(1, [uuid]);
    const start = performance.now();
    directory.child.send({ uuid, webhookUrl: `${server.origin}/api/v1/webhook` });
    while (!(await hasEntry(server, uuid, body))) await wait(10);
    times.push(performance.now() - start);
  }
  const slowest = Math.max(...times);
  report.must("webhook to served table, the slowest of all samples", slowest / 1000, "≤", 3, "s");
  report.table(
    "Webhook of a new app to its entry in the staging table, milliseconds",
    ["stored apps", "samples", "median", "slowest"],
    [[2_000, samples, median(times), slowest]],
  );
  await end();
  await directory.stop();
}

async function hasEntry({ origin }: Measured, uuid: string, body: string): Promise<boolean> {
  type Tables = { policy_table: { app_policies: Record<string, unknown> } }[];
  const [table] = await send<Tables>(origin + route, JSON.parse(body) as object);
  return typeof table?.policy_table.app_policies[uuid] === "object";
}

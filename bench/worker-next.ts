import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Measured } from "@/test/support/processes";
import { startDatabase } from "@/test/support/server";
import { load, median, type LoadResult } from "./load";
import type { Report } from "./report";
import { vehicleRequests } from "./requests";
import { startNextAlone } from "./targets";

const route = "/api/v1/production/policy";
const apps = 200;

/** The same function behind Next's route handler: what the framework costs. */
export async function measureNext(report: Report, ours: Measured, seconds: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-next-"));
  spawnSync(process.execPath, ["--import", "tsx", "bench/fill.ts", folder, String(apps)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const database = await startDatabase(path.join(folder, "database"));
  const next = await startNextAlone(database.uri, folder);
  // As it is: Next's route handlers cannot send a compressed answer of their own.
  const options = { bodies: vehicleRequests(10, apps), isGzip: false, connections: 20, seconds };
  const results = { ours: [] as LoadResult[], next: [] as LoadResult[] };
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await load({ ...options, url: ours.origin + route }));
    results.next.push(await load({ ...options, url: next.origin + route }));
  }
  const perSecond = (all: readonly LoadResult[]) => median(all.map((one) => one.perSecond));
  const [vehicleWorker, framework] = [perSecond(results.ours), perSecond(results.next)];
  report.table(
    "Vehicle worker against Next's route handler (10 apps, plain, 20 connections)",
    ["vehicle worker /s", "Next /s", "vehicle worker / Next"],
    [[vehicleWorker, framework, vehicleWorker / framework]],
  );
  await next.stop();
  await database.kill();
  rmSync(folder, { recursive: true, force: true });
}

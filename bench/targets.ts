import { spawnSync } from "node:child_process";
import { mkdtempSync, openSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { build } from "esbuild";
import { vehicleWorker } from "@/scripts/bundle.mjs";
import { vehicleWorkerFlags } from "@/server/main/programs";
import { freePort } from "@/test/support/server";
import { startProcess, whenAnswered, type Measured } from "@/test/support/processes";

const tsx = ["--import", "tsx"];

/**
 * Creates a folder with initial data and generated apps.
 *
 * @param options of `bench/fill.ts`
 */
export function filledDataDir(apps: number, ...options: readonly string[]): string {
  const folder = mkdtempSync(path.join(tmpdir(), `bench-${apps}-`));
  const filled = spawnSync(process.execPath, [...tsx, "bench/fill.ts", folder, String(apps), ...options], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  if (filled.status !== 0) throw new Error("filling the data directory failed");
  return folder;
}

/** The built server as `npm start` runs it. Its log goes to a file, as under a service manager. */
export async function startOurs(dataDir: string, env: Readonly<Record<string, string>> = {}): Promise<Measured> {
  const port = await freePort();
  const settings = {
    DATA_DIR: dataDir,
    POLICY_SERVER_PORT: String(port),
    EXAMPLE_DIRECTORY: "false",
    NODE_ENV: "production",
    // The baseline server also has just one process.
    VEHICLE_WORKERS: "1",
    ...env,
  };
  const logFile = openSync(path.join(dataDir, "server.log"), "a");
  const server = await startProcess(["scripts/start.mjs"], settings, { port, logFile });
  // The server is ready once vehicles get answers; the console and its policy come later.
  await whenAnswered(`${server.origin}/api/v1/applications?limit=1`);
  return server;
}

/** Next alone (`next start`) with a database in another process, to measure the cost of the framework. */
export async function startNextAlone(uri: string, dataDir: string): Promise<Measured> {
  const port = await freePort();
  const settings = { MONGODB_URI: uri, DATA_DIR: dataDir, EXAMPLE_DIRECTORY: "false", NODE_ENV: "production" };
  const args = ["node_modules/next/dist/bin/next", "start", "--hostname", "127.0.0.1", "--port", String(port)];
  return startProcess(args, settings, { port, logFile: openSync(path.join(dataDir, "next.log"), "a") });
}

/** The baseline server, in this many processes, whose responses are in `answers`. */
export async function startBare(answers: string, processes: number): Promise<Measured> {
  const port = await freePort();
  const env = { PORT: String(port), ANSWERS: answers, PROCESSES: String(processes) };
  return startProcess([...tsx, "bench/bare-server.ts"], env, { port, readyPath: "/health" });
}

/** The vehicle worker alone, with this many distinct apps in memory; bundled as in a build, because tsx changes functions. */
export async function startVehicleWorkerAlone(
  apps: number,
  settings: Readonly<Record<string, string>> = {},
): Promise<Measured> {
  const port = await freePort();
  await build({ ...vehicleWorker, entryPoints: ["bench/worker-alone.ts"], outdir: "dist/bench" });
  const env = { PORT: String(port), APPS: String(apps), NODE_ENV: "production", ...settings };
  return startProcess([...vehicleWorkerFlags, "dist/bench/worker-alone.js"], env, { port, readyPath: "/health" });
}

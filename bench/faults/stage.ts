import { cpSync, existsSync, mkdtempSync, openSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { startProcess, whenAnswered, type Measured } from "@/test/support/processes";
import { aloneEnvironment, freePort } from "@/test/support/server";
import { startCars, type CarOptions, type Cars } from "@/bench/cars";
import type { Report } from "@/bench/report";
import { vehicleRequests } from "@/bench/requests";
import { filledDataDir } from "@/bench/targets";

/** Parameters of every row of the bench. */
export interface Row {
  readonly report: Report;
  /** Only a few rounds, as a smoke test; otherwise as many as in `docs/spec/processes.md` section 5. */
  readonly isShort: boolean;
}

const ends: (() => unknown)[] = [];

/** Registers a cleanup for after the row, even a failed one. It must tolerate what has already ended. */
export function endLater(end: () => unknown): void {
  ends.push(end);
}

/** Runs the cleanups, the last first. */
export async function endAll(): Promise<void> {
  for (const end of ends.splice(0).reverse()) await end();
}

const templates = new Map<number, string>();
process.once("exit", () => {
  for (const folder of templates.values()) rmSync(folder, { recursive: true, force: true });
});

/** A data directory with this many apps, and the policy saved by a first run. */
export async function copyOfData(apps: number): Promise<string> {
  let template = templates.get(apps);
  if (template === undefined) {
    template = filledDataDir(apps);
    templates.set(apps, template);
    const first = await startServer({ dataDir: template });
    while (!existsSync(path.join(template, "policy-snapshot.json"))) await wait(50);
    await first.stop();
  }
  const folder = mkdtempSync(path.join(tmpdir(), "faults-"));
  endLater(() => rmSync(folder, { recursive: true, force: true }));
  // Sockets of an ended server cannot be copied, and are not needed.
  cpSync(template, folder, { recursive: true, filter: (file) => !file.endsWith(".sock") });
  return folder;
}

export interface ServerOptions {
  readonly dataDir: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly port?: number;
  /** File descriptor for all output. Default: a file in the data folder. */
  readonly output?: number;
}

/** Starts the built server and waits until the policy routes and the console respond. */
export async function startServer({ dataDir, env = {}, port: wanted, output }: ServerOptions): Promise<Measured> {
  const port = wanted ?? (await freePort());
  const settings = {
    ...aloneEnvironment,
    ...{ NODE_ENV: "production", AUTH_TYPE: "", MONGODB_URI: "", LOG_LEVEL: "info", DRAIN_SECONDS: "0" },
    ...{ DATA_DIR: dataDir, POLICY_SERVER_PORT: String(port) },
    ...env,
  };
  const logFile = output ?? openSync(path.join(dataDir, "server.log"), "a");
  const server = await startProcess(["scripts/start.mjs"], settings, { port, logFile });
  endLater(() => server.stop());
  await whenAnswered(`${server.origin}/version`);
  return server;
}

/** A server with its own data. */
export async function stage({
  apps = 200,
  ...options
}: Omit<ServerOptions, "dataDir"> & { readonly apps?: number } = {}): Promise<Measured> {
  return startServer({ dataDir: await copyOfData(apps), ...options });
}

/** Cars, each with its own ten apps. */
export async function carsTo(
  origin: string,
  options: Partial<Omit<CarOptions, "origin">> & { readonly apps?: number } = {},
): Promise<Cars> {
  const { apps = 200, ...others } = options;
  const bodies = vehicleRequests(10, apps, 100);
  const cars = await startCars({ origin, perSecond: 200, bodies, ...others });
  endLater(() => cars.end());
  return cars;
}

/** Failure causes of cars, for a table: e.g. `ECONNRESET 3, status 503 1`. */
export function causes(failures: Readonly<Record<string, number>>): string {
  const list = Object.entries(failures).map(([cause, count]) => `${cause} ${count}`);
  return list.length === 0 ? "–" : list.join(", ");
}

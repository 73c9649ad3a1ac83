import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { cpSync, mkdtempSync, openSync, readFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:net";
import { createInterface } from "node:readline";
import { tmpdir } from "node:os";
import { setTimeout as wait } from "node:timers/promises";
import path from "node:path";
import { bound, startProcess, stopProcess, type Measured } from "./processes";
import { startSecondEngine, usesSecondEngine } from "./second-engine";

/** The built server, as run by `npm start`. Global setup: builds if the sources have changed. */
export default function setup(): void {
  const built = spawnSync(process.execPath, ["scripts/start.mjs", "--build-only"], { stdio: "inherit" });
  if (built.status !== 0) throw new Error("the build failed");
}

/** Where `server-setup.ts` stores first data, without and with the example apps. */
export const firstDataVariable = "TEST_FIRST_DATA";

/** A data directory with first data, as after a first start; an empty one if there is none for this database. */
export function firstDataDir({ withExampleApps }: { withExampleApps: boolean }): string {
  const dataDir = emptyDataDir();
  if (usesSecondEngine) return dataDir;
  const [without, withApps] = (process.env[firstDataVariable] ?? "").split(path.delimiter);
  const folder = withExampleApps ? withApps : without;
  if (folder) cpSync(folder, dataDir, { recursive: true });
  return dataDir;
}

export function firstDatabaseDir(): string {
  return path.join(firstDataDir({ withExampleApps: false }), "database");
}

export interface TestServer extends Measured {
  readonly dataDir: string;
  readonly port: number;
  log(): { readonly level: string; readonly msg: string; readonly [member: string]: unknown }[];
  /** Unparsed, including lines that are not JSON. */
  output(): string[];
}

export function emptyDataDir(): string {
  return mkdtempSync(path.join(tmpdir(), "policy-server-test-"));
}

/** Waits until `readyPath` responds with 200, unless it is null; tests of the first start pass an empty folder. */
export async function startServer({
  env = {},
  dataDir = firstDataDir({ withExampleApps: hasExampleApps(env) }),
  readyPath = "/health/ready",
  port: wanted,
  command = ["dist/main.js"],
}: {
  dataDir?: string;
  env?: Readonly<Record<string, string>>;
  readyPath?: string | null;
  port?: number;
  /** Default: what `npm start` runs once it has found the build, which the set-up has made. */
  command?: readonly string[];
} = {}): Promise<TestServer> {
  const port = wanted ?? (await freePort());
  const logPath = path.join(dataDir, `server-${port}.log`);
  const settings = {
    ...{ ...plainEnvironment, ...(env.MONGODB_URI === undefined && ownDatabase(dataDir)) },
    ...{ DATA_DIR: dataDir, POLICY_SERVER_PORT: String(port), ...env },
  };
  const started = await startProcess(command, settings, {
    port,
    logFile: openSync(logPath, "a"),
    readyPath,
  });
  // Vehicle workers are ready long before the console, which most tests need.
  if (readyPath === "/health/ready")
    await whenConsoleReady(path.join(settings.DATA_DIR, "run", `console-${started.child.pid}.sock`), started.child);
  const log = () =>
    readFileSync(logPath, "utf8")
      .split("\n")
      .filter((line) => line.startsWith("{"))
      .map((line) => JSON.parse(line));
  return { ...started, dataDir, port, log, output: () => readFileSync(logPath, "utf8").split("\n") };
}

/** Same rule as in the server: example apps are the only ones while no app directory is configured. */
function hasExampleApps(env: Readonly<Record<string, string>>): boolean {
  return env.EXAMPLE_DIRECTORY !== "false" && env.SHAID_PUBLIC_KEY === undefined;
}

async function whenConsoleReady(socketPath: string, child: ChildProcess): Promise<void> {
  const ask = () =>
    new Promise<number | undefined>((resolve) => {
      request({ socketPath, path: "/health/ready" }, (response) => {
        response.resume();
        response.on("end", () => resolve(response.statusCode));
      })
        .on("error", () => resolve(undefined))
        .end();
    });
  while ((await ask()) !== 200) {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`the server ended with ${ended}`);
    await wait(20);
  }
}

export function runServer(env: Readonly<Record<string, string>>): Promise<{ status: number | null; output: string }> {
  const child = spawn(process.execPath, ["scripts/start.mjs"], {
    env: { ...process.env, ...plainEnvironment, ...env } as NodeJS.ProcessEnv,
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (output += chunk.toString()));
  return new Promise((resolve) => child.once("exit", (status) => resolve({ status, output })));
}

/** Without the tester's settings and a drain; one worker, so that one process counts a test's requests. */
const plainEnvironment = {
  NODE_ENV: "production",
  NEXT_TELEMETRY_DISABLED: "1",
  AUTH_TYPE: "",
  MONGODB_URI: "",
  LOG_LEVEL: "debug",
  DRAIN_SECONDS: "0",
  VEHICLE_WORKERS: "1",
  EXAMPLE_DIRECTORY: "true",
};

/** Set by `server-setup.ts` on the second engine: the server where each data directory gets its own database. */
export const engineVariable = "TEST_ENGINE_URI";

/** The URI of another database on the same MongoDB. */
export function withDatabaseName(uri: string, dbName: string): string {
  return uri.replace(/^(mongodb(?:\+srv)?:\/\/[^/?]+)(?:\/[^?]*)?/, `$1/${dbName}`);
}

export function withOption(uri: string, option: string): string {
  if (uri.includes("?")) return `${uri}&${option}`;
  return /^[^/]+\/\/[^/]+\//.test(uri) ? `${uri}?${option}` : `${uri}/?${option}`;
}

/** So that requests learn of an outage after half a second. */
export const impatient = (uri: string) => withOption(uri, "serverSelectionTimeoutMS=500");

function ownDatabase(dataDir: string): Readonly<Record<string, string>> {
  const uri = process.env[engineVariable];
  return uri === undefined ? {} : { MONGODB_URI: withDatabaseName(uri, path.basename(dataDir)) };
}

/** For servers whose data only the test may change: no app directory, not even the example, and nothing from outside. */
export const aloneEnvironment = { EXAMPLE_DIRECTORY: "false", RPC_SPEC_URL: "off" };

export async function startDatabase(
  dataDir: string,
): Promise<{ uri: string; child: ChildProcess; kill(): Promise<void> }> {
  if (usesSecondEngine) return startSecondEngine(dataDir);
  const args = ["--import", "tsx", "test/support/embedded-main.ts", "--data-dir", dataDir];
  const child = spawn(...bound(process.execPath, args), { stdio: ["ignore", "pipe", "inherit"] });
  const [line] = await new Promise<string[]>((resolve, reject) => {
    createInterface({ input: child.stdout }).once("line", (first) => resolve([first]));
    child.once("exit", (status) => reject(new Error(`the database ended with ${status}`)));
  });
  return { uri: JSON.parse(line ?? "{}").uri, child, kill: () => stopProcess(child, "SIGKILL") };
}

export async function freePort(): Promise<number> {
  return new Promise((resolve) => {
    const probe = createServer().listen(0, "127.0.0.1", () => {
      const address = probe.address();
      probe.close(() => resolve(typeof address === "object" && address ? address.port : 0));
    });
  });
}

import { existsSync } from "node:fs";
import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { processTree, treeUse } from "./process-tree";

/** A measured process. Ended by its own id, never by name. */
export interface Measured {
  readonly child: ChildProcess;
  readonly origin: string;
  /** From the start of the process until it is first ready, in milliseconds. */
  readonly readyAfter: number;
  /** Resident memory in MiB, of all processes or of one role (`vehicleWorker`, `console`, `database`). */
  rss(role?: string): number;
  /** CPU time since the start in milliseconds, likewise. */
  cpuMs(role?: string): number;
  has(role: string): boolean;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface StartOptions {
  readonly port: number;
  /** File descriptor for its output; default: ignored. */
  readonly logFile?: number;
  /** Null: does not wait. */
  readonly readyPath?: string | null;
}

/** Of Linux; by path, because tests of processes run without one. */
const setpriv = "/usr/bin/setpriv";
const canBind = existsSync(setpriv);

/**
 * A command whose process the system kills when the one that spawns it ends, however that ends: what a failed or killed
 * test has started stays behind nowhere.
 */
export const bound = (program: string, args: readonly string[]): [string, string[]] =>
  canBind ? [setpriv, ["--pdeathsig", "KILL", program, ...args]] : [program, [...args]];

export async function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { port, logFile, readyPath = "/health/ready" }: StartOptions,
): Promise<Measured> {
  const start = performance.now();
  const output = logFile ?? "ignore";
  const child = spawn(...bound(process.execPath, args), {
    env: { ...process.env, ...env },
    stdio: ["ignore", output, "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  const check = () => {
    const ended = child.exitCode ?? child.signalCode;
    if (ended !== null) throw new Error(`${args.join(" ")} ended with ${ended}`);
  };
  if (readyPath !== null) await whenAnswered(`${origin}${readyPath}`, check);
  const readyAfter = Math.round(performance.now() - start);
  const stop = (signal: NodeJS.Signals = "SIGTERM") => stopProcess(child, signal);
  const usage = (role?: string) => treeUse(child.pid ?? 0, role);
  return {
    ...{ child, origin, readyAfter, stop },
    rss: (role) => Math.round(usage(role).memory / 1024 / 1024),
    cpuMs: (role) => usage(role).cpuMs,
    has: (role) => processTree(child.pid ?? 0).some((one) => one.role === role),
  };
}

/** Waits until a URL responds with 200; `check` throws if it never will. */
export async function whenAnswered(url: string, check: () => void = () => undefined): Promise<void> {
  while (!(await isReady(url))) {
    check();
    await wait(20);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    // Retries lost requests, e.g. if a process was killed.
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}

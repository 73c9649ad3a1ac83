import { spawn, type ChildProcess } from "node:child_process";
import { setTimeout as wait } from "node:timers/promises";
import { processTree, treeUse } from "./process-tree";

/** A process under measurement. Ended by its own id, never by name. */
export interface Measured {
  readonly child: ChildProcess;
  readonly origin: string;
  /** From the start of the process to its first readiness, in milliseconds. */
  readonly readyAfter: number;
  /** Resident memory in MiB, of all processes or of those of one role (`vehicleWorker`, `console`, `database`). */
  rss(role?: string): number;
  /** Processor time since the start in milliseconds, of the same. */
  cpuMs(role?: string): number;
  /** Whether it has a process of this role. */
  has(role: string): boolean;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface StartOptions {
  readonly port: number;
  /** File descriptor for its output; ignored when not given. */
  readonly logFile?: number;
  /** Null: it is not waited for. */
  readonly readyPath?: string | null;
}

/** Starts a Node program and waits until it answers 200 at `readyPath`. */
export async function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  { port, logFile, readyPath = "/health/ready" }: StartOptions,
): Promise<Measured> {
  const start = performance.now();
  const output = logFile ?? "ignore";
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", output, "inherit"],
  });
  const origin = `http://127.0.0.1:${port}`;
  const check = () => {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`);
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

/** Waits until an address answers 200; `check` throws when it never will. */
export async function whenAnswered(url: string, check: () => void = () => undefined): Promise<void> {
  while (!(await isReady(url))) {
    check();
    await wait(20);
  }
}

async function isReady(url: string): Promise<boolean> {
  try {
    // One that is lost on the way, e.g. with a process that was killed, is asked again.
    const answer = await fetch(url, { signal: AbortSignal.timeout(10_000) });
    await answer.arrayBuffer();
    return answer.status === 200;
  } catch {
    return false;
  }
}

/** Ends a process and waits for its end; does nothing when it has ended already. */
export async function stopProcess(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill(signal);
  await ended;
}

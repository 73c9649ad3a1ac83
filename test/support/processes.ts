import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

/** A process under measurement. Ended by its own id, never by name. */
export interface Measured {
  readonly child: ChildProcess;
  readonly origin: string;
  /** From the start of the process to its first readiness, in milliseconds. */
  readonly readyAfter: number;
  /** Resident memory in MiB. */
  rss(): number;
  stop(signal?: NodeJS.Signals): Promise<void>;
}

export interface StartOptions {
  readonly port: number;
  /** File descriptor for its output; ignored when not given. */
  readonly logFile?: number;
  readonly readyPath?: string;
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
  await whenAnswered(`${origin}${readyPath}`, () => {
    if (child.exitCode !== null) throw new Error(`${args.join(" ")} ended with ${child.exitCode}`);
  });
  const readyAfter = Math.round(performance.now() - start);
  const stop = (signal: NodeJS.Signals = "SIGTERM") => stopProcess(child, signal);
  return { child, origin, readyAfter, rss: () => residentMiB(child.pid), stop };
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
    return (await fetch(url)).status === 200;
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

function residentMiB(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

import { spawn, type ChildProcess } from "node:child_process";
import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";

/** A process under measurement. Ended by its own id, never by name. */
export interface Measured {
  readonly child: ChildProcess;
  readonly port: number;
  /** Resident memory in MiB. */
  rss(): number;
  stop(): Promise<void>;
}

/**
 * Starts a Node program and waits until it says where it listens.
 *
 * @param isReady reads the port from a line of its output, or null when the line says something else
 */
export async function startProcess(
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  isReady: (line: string) => number | null,
): Promise<Measured> {
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const port = await new Promise<number>((resolve, reject) => {
    createInterface({ input: child.stdout }).on("line", (line) => {
      const found = isReady(line);
      if (found !== null) resolve(found);
    });
    child.once("exit", (code) => reject(new Error(`${args.join(" ")} ended with ${code}`)));
  });
  return { child, port, rss: () => residentMiB(child.pid), stop: () => stopProcess(child) };
}

async function stopProcess(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  const ended = new Promise((resolve) => child.once("exit", resolve));
  child.kill("SIGTERM");
  await ended;
}

function residentMiB(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Math.round(Number(kilobytes) / 1024);
}

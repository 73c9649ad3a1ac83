import { readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { processTree } from "@/test/support/process-tree";

/** One process of a server. */
export interface ServerProcess {
  readonly pid: number;
  /** `main`, `vehicle-worker-1`, `console`, `database`. */
  readonly name: string;
  /** Resident memory in MiB. */
  readonly rss: number;
  /** The same, with shared pages divided between their processes. */
  readonly pss: number;
}

/** The processes of a server, by the id of the main process. */
export function processesOf(root: number): ServerProcess[] {
  return processTree(root).flatMap(({ pid, role, memory }) => {
    try {
      const shared = readFileSync(`/proc/${pid}/smaps_rollup`, "utf8");
      const pss = Number(/^Pss:\s+(\d+)/m.exec(shared)?.[1]) / 1024;
      return [
        {
          pid,
          name: role === "vehicle-worker" ? vehicleWorkerName(pid) : (role ?? "main"),
          rss: memory / 1024 ** 2,
          pss,
        },
      ];
    } catch {
      // It has ended in the meantime.
      return [];
    }
  });
}

/** Waits until a server has a process with this name that differs from the given one. */
export async function otherProcess(root: number, name: string, than: number): Promise<ServerProcess> {
  for (;;) {
    const found = processesOf(root).find((one) => one.name === name && one.pid !== than);
    if (found) return found;
    await wait(20);
  }
}

/** Kills a process and waits until the system has removed it. Returns from when to when, as `Span`. */
export async function killAt(pid: number): Promise<readonly [number, number]> {
  const from = Date.now();
  process.kill(pid, "SIGKILL");
  while (isAlive(pid)) await wait(1);
  // The clocks of the two processes have a resolution of one millisecond.
  return [from - 1, Date.now() + 1];
}

/** Stops a process, waits until the server has killed it, and returns the `Span` of the stop: what it held may be lost. */
export async function suspendAt(pid: number): Promise<readonly [number, number]> {
  const from = Date.now();
  process.kill(pid, "SIGSTOP");
  const stopped = Date.now();
  while (isAlive(pid)) await wait(20);
  return [from - 1, stopped + 1];
}

/** A vehicle worker gets its name as its first argument. */
function vehicleWorkerName(pid: number): string {
  return /vehicle-worker-\d+/.exec(readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.[0] ?? "vehicle-worker";
}

function isAlive(pid: number): boolean {
  try {
    // A zombie is also dead.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

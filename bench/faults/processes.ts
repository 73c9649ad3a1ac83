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
  /** The same, with pages that several processes share counted in parts. */
  readonly pss: number;
}

/** The processes of a server, by the id of its first one. */
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
      // It has ended meanwhile.
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

/** Ends a process by force and waits until the system has taken it away; when that began and ended, for `Span`. */
export async function killAt(pid: number): Promise<readonly [number, number]> {
  const from = Date.now();
  process.kill(pid, "SIGKILL");
  while (isAlive(pid)) await wait(1);
  // The clocks of the two processes have a resolution of a millisecond.
  return [from - 1, Date.now() + 1];
}

/**
 * Stops a process and waits until the server has ended it; when it stopped, for `Span`: only what it held then may be lost.
 */
export async function suspendAt(pid: number): Promise<readonly [number, number]> {
  const from = Date.now();
  process.kill(pid, "SIGSTOP");
  const stopped = Date.now();
  while (isAlive(pid)) await wait(20);
  return [from - 1, stopped + 1];
}

/** A vehicle worker is told its name in its first argument. */
function vehicleWorkerName(pid: number): string {
  return /vehicle-worker-\d+/.exec(readFileSync(`/proc/${pid}/cmdline`, "utf8"))?.[0] ?? "vehicle-worker";
}

function isAlive(pid: number): boolean {
  try {
    // One that its parent has not asked about yet is dead as well.
    return !/^\d+ \(.*\) Z/s.test(readFileSync(`/proc/${pid}/stat`, "utf8"));
  } catch {
    return false;
  }
}

import { readFileSync } from "node:fs";

export interface ThreadUse {
  /** `R`: runs, or waits for a CPU; `D`: waits for a disk; `S`: waits for something else; `T`: is stopped. */
  readonly state: string;
  /** Time on a CPU, and time waiting for one, since the thread started. Milliseconds. */
  readonly ranMs: number;
  readonly waitedMs: number;
}

/** Null except on Linux, and if the process no longer exists. */
export function readThreadUse(pid: number): ThreadUse | null {
  if (process.platform !== "linux") return null;
  try {
    const [ran = Number.NaN, waited = Number.NaN] = readFileSync(`/proc/${pid}/schedstat`, "utf8")
      .split(" ")
      .map(Number);
    if (Number.isNaN(ran + waited)) return null;
    return { state: readStat(pid)[0] ?? "", ranMs: ran / 1e6, waitedMs: waited / 1e6 };
  } catch {
    return null;
  }
}

/** The fields of `/proc/<pid>/stat` from the third on. The second, a name, may contain anything. May throw. */
export function readStat(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/** How long a thread could have run: one that waits for a CPU or disk does not count as stuck (`processes.md` N4). */
export function usableMs(elapsedMs: number, before: ThreadUse | null, now: ThreadUse | null): number {
  if (before === null || now === null) return elapsedMs;
  const ran = Math.min(elapsedMs, Math.max(0, now.ranMs - before.ranMs));
  // The kernel adds a current wait for the CPU only when it ends.
  if (now.state === "R" || now.state === "D") return ran;
  return Math.max(ran, elapsedMs - Math.max(0, now.waitedMs - before.waitedMs));
}

/** Whether another process has this id. Not this one: in a container, an earlier process may have had our id. */
export function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // It exists, but belongs to another user.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

/** Resident memory of this process in bytes; undefined without a free file descriptor. No figure ends a process (N6). */
export function residentBytes(): number | undefined {
  try {
    return process.memoryUsage.rss();
  } catch {
    return undefined;
  }
}

/** How many file descriptors this process may have; null where the system doesn't say, as outside of Linux. */
export function findDescriptorLimit(): number | null {
  try {
    const [, soft] = /^Max open files +(\d+)/m.exec(readFileSync("/proc/self/limits", "utf8")) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}

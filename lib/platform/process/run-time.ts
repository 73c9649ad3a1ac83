import { readFileSync } from "node:fs";

/** What the system tells of the main thread of a process, the one that its event loop runs in. */
export interface ThreadUse {
  /** `R`: runs, or waits for a processor; `D`: waits for a disk; `S`: waits for something else; `T`: is stopped. */
  readonly state: string;
  /** How long it has run, and how long it has waited for a processor, since its start. Milliseconds. */
  readonly ranMs: number;
  readonly waitedMs: number;
}

/** Null where the system does not tell, which only Linux does, and when there is no such process any more. */
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

/** The fields of `/proc/<pid>/stat` from the third on; the second, a name, may hold anything. May throw. */
export function readStat(pid: number): readonly string[] {
  const stat = readFileSync(`/proc/${pid}/stat`, "utf8");
  return stat.slice(stat.lastIndexOf(")") + 2).split(" ");
}

/**
 * How long a thread could have run, in milliseconds. Silence is measured by this and not by the clock, so that on an
 * overloaded machine nobody takes what waits for a processor or disk for stuck (`processes.md` N4).
 */
export function usableMs(elapsedMs: number, before: ThreadUse | null, now: ThreadUse | null): number {
  if (before === null || now === null) return elapsedMs;
  const ran = Math.min(elapsedMs, Math.max(0, now.ranMs - before.ranMs));
  // What it has waited by now counts as waited only when its turn has come.
  if (now.state === "R" || now.state === "D") return ran;
  return Math.max(ran, elapsedMs - Math.max(0, now.waitedMs - before.waitedMs));
}

/** Whether another process has this id. Not this one: in a container our id may be that of one that ended. */
export function isOtherProcess(pid: number): boolean {
  if (pid === process.pid) return false;
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // Somebody else's process, which we may not signal, runs.
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}

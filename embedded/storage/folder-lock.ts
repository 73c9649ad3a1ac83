import { randomUUID } from "node:crypto";
import { linkSync, readFileSync, renameSync, unlinkSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";

/*
 * Keeps a second process off a data folder. The file `lock` names its holder by process id and by the moment that
 * process started, so that a lock left behind by `kill -9` is known as stale even when the id has been given to
 * another process. Where ids mean nothing (another container on the same folder) the holder's socket is asked.
 */

interface Holder {
  readonly token: string;
  readonly pid: number;
  /** Field 22 of /proc/<pid>/stat with the boot id; empty where there is no /proc. */
  readonly started: string;
  /** Where the holder listens, when that is a socket file. */
  readonly socket: string | null;
}

export class FolderInUse extends Error {
  constructor(folder: string, pid: number) {
    super(
      `The folder ${folder} is in use by process ${pid}: two servers must not share an embedded database. ` +
        "Stop the other one, or give this one a folder of its own (DATA_DIR).",
    );
    this.name = "FolderInUse";
  }
}

const codeOf = (error: unknown) => (error instanceof Error && "code" in error ? error.code : undefined);

function readOrNull(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (["ENOENT", "ESRCH", "EACCES"].includes(String(codeOf(error)))) return null;
    throw error;
  }
}

/** When a process started, as the system counts it; empty when that cannot be known, null when there is no such process. */
function startOf(pid: number): string | null {
  const boot = readOrNull("/proc/sys/kernel/random/boot_id");
  if (boot !== null) {
    const stat = readOrNull(`/proc/${pid}/stat`);
    // The second field is the program's name in parentheses and may hold anything.
    const ticks = stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    return ticks === undefined ? null : `${boot.trim()} ${ticks}`;
  }
  try {
    process.kill(pid, 0);
    return "";
  } catch (error) {
    return codeOf(error) === "EPERM" ? "" : null;
  }
}

function parseHolder(text: string | null): Holder | null {
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (typeof value !== "object" || value === null) return null;
    const { token, pid, started, socket } = value as Partial<Record<keyof Holder, unknown>>;
    if (typeof token !== "string" || typeof pid !== "number" || typeof started !== "string") return null;
    return { token, pid, started, socket: typeof socket === "string" ? socket : null };
  } catch {
    return null; // half a file: its writer died
  }
}

function answers(socket: string): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(socket);
    probe.once("connect", () => {
      probe.destroy();
      resolve(true);
    });
    probe.once("error", () => resolve(false));
  });
}

async function isAlive(holder: Holder): Promise<boolean> {
  if (startOf(holder.pid) === holder.started) return true;
  return holder.socket !== null && (await answers(holder.socket));
}

/** Removes a lock file if it is the one with this token. */
export function releaseLock(folder: string, token: string): void {
  const file = join(folder, "lock");
  if (parseHolder(readOrNull(file))?.token === token) unlinkSync(file);
}

/**
 * Takes the lock of a data folder, also from a holder that no longer lives.
 *
 * @returns the token that releases it
 * @throws FolderInUse when its holder lives
 */
export async function takeLock(folder: string, socket: string | null, token: string = randomUUID()): Promise<string> {
  const file = join(folder, "lock");
  const holder: Holder = { token, pid: process.pid, started: startOf(process.pid) ?? "", socket };
  const draft = join(folder, `lock-${token}.tmp`);
  writeFileSync(draft, JSON.stringify(holder), { mode: 0o600 });
  try {
    for (;;) {
      try {
        linkSync(draft, file); // fails when the file exists, unlike a rename
        return token;
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
      }
      const text = readOrNull(file);
      if (text === null) continue;
      const current = parseHolder(text);
      if (current !== null && (await isAlive(current))) throw new FolderInUse(folder, current.pid);
      removeStale(file, text, join(folder, `lock-${token}-stale.tmp`));
    }
  } finally {
    unlinkSync(draft);
  }
}

/** Of several processes that find a stale lock only one moves it away; one that caught a fresh lock puts it back. */
function removeStale(file: string, staleText: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    if (readOrNull(aside) !== staleText) linkSync(aside, file);
  } finally {
    unlinkSync(aside);
  }
}

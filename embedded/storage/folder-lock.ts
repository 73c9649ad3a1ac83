import { createHash, randomBytes } from "node:crypto";
import {
  linkSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { isFull } from "./space";

// Keeps a second process off a data folder. The file `lock` identifies its holder by process id and start time, so that
// a lock left by `kill -9` is known to be stale even if another process has the id. If ids mean nothing (another
// container on the same folder), the holder's socket is checked. On a full disk, the lock is a symbolic link whose
// target contains the same in less than 60 characters: file systems store that with the name, so it needs no space.

interface Holder {
  readonly token: string;
  readonly pid: number;
  /** Derived from field 22 of /proc/<pid>/stat and the boot id; empty without /proc. */
  readonly started: string;
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

export class LockUnreadable extends Error {
  constructor(file: string, reason: unknown) {
    super(
      `${file} cannot be read (${String(reason)}), so another server may be using the folder. Start as the user that owns it, ` +
        "or remove it if no other server runs on this folder.",
    );
    this.name = "LockUnreadable";
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

function readLock(file: string): string | null {
  const target = readlinkOrNull(file);
  if (target !== null) return target;
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    if (codeOf(error) === "ENOENT") return null;
    throw new LockUnreadable(file, codeOf(error));
  }
}

function readlinkOrNull(file: string): string | null {
  try {
    return readlinkSync(file);
  } catch {
    return null;
  }
}

const endedStates: readonly unknown[] = ["Z", "X", "x"];

/** A process's start time, as the system counts it; empty if unknown, null if the process does not exist or has ended. */
function startOf(pid: number): string | null {
  const boot = readOrNull("/proc/sys/kernel/random/boot_id");
  if (boot !== null) {
    const stat = readOrNull(`/proc/${pid}/stat`);
    // The second field, the program's name in parentheses, may contain anything.
    const fields = stat?.slice(stat.lastIndexOf(")") + 2).split(" ") ?? [];
    if (fields[19] === undefined || endedStates.includes(fields[0])) return null;
    return createHash("sha256").update(`${boot.trim()} ${fields[19]}`).digest("hex").slice(0, 16);
  }
  try {
    process.kill(pid, 0);
    return "";
  } catch (error) {
    return codeOf(error) === "EPERM" ? "" : null;
  }
}

function parseHolder(text: string | null, socket: string | null): Holder | null {
  const [short, token = "", pid, started = ""] = /^([0-9a-f]+):(\d+):([0-9a-f]*)$/.exec(text ?? "") ?? [];
  if (short !== undefined) return { token, pid: Number(pid), started, socket };
  try {
    const value: unknown = JSON.parse(text ?? "null");
    if (typeof value !== "object" || value === null) return null;
    const found = value as Partial<Record<keyof Holder, unknown>>;
    if (typeof found.token !== "string" || typeof found.pid !== "number" || typeof found.started !== "string")
      return null;
    return {
      token: found.token,
      pid: found.pid,
      started: found.started,
      socket: typeof found.socket === "string" ? found.socket : null,
    };
  } catch {
    return null; // a partial file: its writer died
  }
}

/** Identifies a holder. Short enough for a lock that is a link. */
export const newLockToken = (): string => randomBytes(8).toString("hex");

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

/** Removes the lock file if it has this token. One that stays is stale at the next start. */
export function releaseLock(folder: string, token: string): void {
  const file = join(folder, "lock");
  try {
    if (parseHolder(readLock(file), null)?.token === token) unlinkSync(file);
  } catch {
    // Something else has its name, or the disk has become read-only.
  }
}

/** Takes the lock, even from a holder that has ended; returns its token. Throws FolderInUse if the holder is alive. */
export async function takeLock(folder: string, socket: string | null, token = newLockToken()): Promise<string> {
  const file = join(folder, "lock");
  const holder: Holder = { token, pid: process.pid, started: startOf(process.pid) ?? "", socket };
  const draft = join(folder, `lock-${token}.tmp`);
  const place = writeDraft(draft, JSON.stringify(holder))
    ? () => linkSync(draft, file)
    : () => symlinkSync(`${token}:${holder.pid}:${holder.started}`, file);
  try {
    for (;;) {
      try {
        place(); // fails if the file exists, unlike a rename
        return token;
      } catch (error) {
        if (codeOf(error) !== "EEXIST") throw error;
      }
      const text = readLock(file);
      if (text === null) continue;
      const current = parseHolder(text, socket);
      if (current !== null && (await isAlive(current))) throw new FolderInUse(folder, current.pid);
      removeStale(file, text, join(folder, `lock-${token}-stale.tmp`));
    }
  } finally {
    rmSync(draft, { force: true });
  }
}

function writeDraft(draft: string, text: string): boolean {
  try {
    writeFileSync(draft, text, { mode: 0o600 });
    return true;
  } catch (error) {
    if (isFull(error)) return false;
    throw error;
  }
}

/** If several processes find a stale lock, only one moves it away. One that has moved a new lock puts it back. */
function removeStale(file: string, staleText: string, aside: string): void {
  try {
    renameSync(file, aside);
  } catch (error) {
    if (codeOf(error) === "ENOENT") return;
    throw error;
  }
  try {
    if (readLock(aside) !== staleText) linkSync(aside, file);
  } finally {
    unlinkSync(aside);
  }
}

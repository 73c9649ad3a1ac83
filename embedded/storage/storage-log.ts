import { existsSync, fsyncSync, ftruncateSync, closeSync, openSync, readdirSync, unlinkSync } from "node:fs";
import { open, rename, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseError } from "../errors";
import { DamagedFile, frameHeader, frameHeaderBytes, readFrames } from "./frames";

/*
 * Files of a data folder: `snapshot-<n>.db`, the whole state when log n began, and `log-<n>.db`, the commits since.
 * A crash during compaction leaves several logs and the older snapshot; all are read then, in order.
 */

/** Ends a snapshot; without it the file is incomplete. */
const endOfSnapshot = Buffer.from("end of snapshot");

const snapshotFrameBytes = 1024 * 1024;

interface Waiting {
  readonly payload: Buffer;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export function syncFolder(folder: string): void {
  if (process.platform === "win32") return;
  const fd = openSync(folder, "r");
  try {
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

async function writeAll(handle: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length;) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

/** The append-only log: a commit is acknowledged after `fdatasync`, one sync for all commits that wait for it. */
export class StorageLog {
  /** Size of the current log and of the last snapshot, in bytes. */
  logBytes = 0;
  snapshotBytes = 0;
  #generation = 1;
  #handle: FileHandle | null = null;
  #queue: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #failure: DatabaseError | null = null;
  #isCompacting = false;

  constructor(
    private readonly folder: string,
    private readonly report: (line: string) => void,
  ) {}

  #file(kind: "log" | "snapshot", generation: number): string {
    return join(this.folder, `${kind}-${generation}.db`);
  }

  #generations(kind: "log" | "snapshot"): number[] {
    const names = readdirSync(this.folder).map((name) => new RegExp(`^${kind}-(\\d+)\\.db$`).exec(name)?.[1]);
    return names.flatMap((number) => (number === undefined ? [] : [Number(number)])).sort((a, b) => a - b);
  }

  /** Replays snapshot and logs, cuts an unfinished tail off the last log, and opens it for appending. */
  async open(apply: (payload: Buffer) => void): Promise<void> {
    for (const name of readdirSync(this.folder)) if (name.endsWith(".tmp")) unlinkSync(join(this.folder, name));
    const snapshot = this.#generations("snapshot").at(-1) ?? 0;
    if (snapshot > 0) this.#replaySnapshot(this.#file("snapshot", snapshot), apply);
    const logs = this.#generations("log").filter((generation) => generation >= snapshot);
    const first = Math.max(snapshot, 1);
    logs.forEach((generation, place) => {
      if (generation !== first + place) throw new DamagedFile(this.#file("log", first + place), 0, "it is missing");
    });
    if (snapshot > 0 && logs.length === 0) throw new DamagedFile(this.#file("log", snapshot), 0, "it is missing");
    for (const generation of logs) this.#replayLog(this.#file("log", generation), generation === logs.at(-1), apply);
    this.#removeBefore(snapshot);
    await this.#openLog(logs.at(-1) ?? 1);
  }

  #replaySnapshot(file: string, apply: (payload: Buffer) => void): void {
    const seen = { end: false };
    const { end } = readFrames(file, false, (payload) => {
      if (payload.equals(endOfSnapshot)) seen.end = true;
      else apply(payload);
    });
    if (!seen.end) throw new DamagedFile(file, end, "its end is missing");
    this.snapshotBytes = end;
  }

  #replayLog(file: string, isLast: boolean, apply: (payload: Buffer) => void): void {
    const { end, size } = readFrames(file, isLast, apply);
    if (end === size) return;
    this.report(`${file}: left out an unfinished write of ${size - end} bytes at byte ${end}`);
    const fd = openSync(file, "r+");
    try {
      ftruncateSync(fd, end);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }

  #removeBefore(generation: number): void {
    for (const kind of ["log", "snapshot"] as const) {
      for (const old of this.#generations(kind)) if (old < generation) unlinkSync(this.#file(kind, old));
    }
  }

  async #openLog(generation: number): Promise<void> {
    const file = this.#file("log", generation);
    const isNew = !existsSync(file);
    const handle = await open(file, isNew ? "wx+" : "r+", 0o600);
    await this.#handle?.close();
    this.#handle = handle;
    this.#generation = generation;
    this.logBytes = (await handle.stat()).size;
    if (isNew) syncFolder(this.folder);
  }

  /** Resolves when the commit is on disk. After a failed write none is accepted any more: memory is ahead of the disk. */
  append(payload: Buffer): Promise<void> {
    if (this.#failure) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#queue.push({ payload, resolve, reject });
      this.#writing ??= this.#drain();
    });
  }

  /** Resolves when everything appended so far is on disk or has failed. */
  async settled(): Promise<void> {
    while (this.#writing) await this.#writing;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue;
      this.#queue = [];
      try {
        await this.#writeBatch(batch.map(({ payload }) => payload));
        for (const { resolve } of batch) resolve();
      } catch (error) {
        const failure = this.#fail(error);
        for (const { reject } of [...batch, ...this.#queue]) reject(failure);
        this.#queue = [];
      }
    }
    this.#writing = null;
  }

  async #writeBatch(payloads: readonly Buffer[]): Promise<void> {
    const handle = this.#handle;
    if (handle === null) throw new Error("the log is closed");
    const bytes = Buffer.concat(payloads.flatMap((payload) => [frameHeader(payload, this.logBytes), payload]));
    await writeAll(handle, bytes, this.logBytes);
    await handle.datasync();
    this.logBytes += bytes.length;
  }

  #fail(error: unknown): DatabaseError {
    const isFull = error instanceof Error && "code" in error && error.code === "ENOSPC";
    const reason = error instanceof Error ? error.message : String(error);
    this.#failure = new DatabaseError(
      isFull ? 14031 : 1,
      `The embedded database could not write its log (${reason}); it takes no writes until it is started again`,
    );
    this.report(this.#failure.message);
    return this.#failure;
  }

  /** Whether the log has outgrown what it describes, so that a snapshot pays. */
  isWorthCompacting(minimumBytes: number): boolean {
    return !this.#isCompacting && this.logBytes > Math.max(minimumBytes, this.snapshotBytes);
  }

  /**
   * Writes the whole state into a snapshot and drops the logs before it. New commits go to a new log from the moment
   * `dump` is called; a crash at any point leaves either the old files or the new snapshot complete.
   *
   * @param dump takes the state at once; the entries it gives may be produced later
   */
  async compact(dump: () => Iterable<Buffer>): Promise<void> {
    if (this.#isCompacting || this.#failure) return;
    this.#isCompacting = true;
    try {
      while (this.#writing) await this.#writing;
      const generation = this.#generation + 1;
      const entries = dump();
      // Commits wait in the queue meanwhile, so that none of them falls between the state taken and the new log.
      const switched = this.#openLog(generation);
      this.#writing = switched.catch(() => undefined).then(() => this.#drain());
      await switched;
      const target = this.#file("snapshot", generation);
      this.snapshotBytes = await writeSnapshot(`${target}.tmp`, entries);
      await rename(`${target}.tmp`, target);
      syncFolder(this.folder);
      this.#removeBefore(generation);
    } finally {
      this.#isCompacting = false;
    }
  }

  async close(): Promise<void> {
    await this.settled();
    await this.#handle?.close();
    this.#handle = null;
  }
}

/** Writes a snapshot in frames of some size and syncs it; gives its length. */
async function writeSnapshot(file: string, entries: Iterable<Buffer>): Promise<number> {
  const handle = await open(file, "w", 0o600);
  try {
    let position = 0;
    let waiting: Buffer[] = [];
    let waitingBytes = 0;
    const flush = async () => {
      const payload = Buffer.concat(waiting);
      await writeAll(handle, Buffer.concat([frameHeader(payload, 0), payload]), position);
      position += frameHeaderBytes + payload.length;
      waiting = [];
      waitingBytes = 0;
    };
    for (const entry of entries) {
      waiting.push(entry);
      waitingBytes += entry.length;
      if (waitingBytes > snapshotFrameBytes) await flush();
    }
    if (waitingBytes > 0) await flush();
    waiting.push(endOfSnapshot);
    await flush();
    await handle.sync();
    return position;
  } finally {
    await handle.close();
  }
}

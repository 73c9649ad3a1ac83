import { setImmediate as nextEvent } from "node:timers/promises";
import { rename, rm, type FileHandle } from "node:fs/promises";
import type { DatabaseError } from "../errors";
import { DataFolder, type LogToOpen } from "./data-folder";
import { frameHeader, maxFramesOfBatch } from "./frames";
import { writeSnapshot } from "./snapshot";
import { hasSpace, isFull, isLostFile, storageFailure, writeAll } from "./space";

const retryMilliseconds = 1000;
const compactionRestMilliseconds = 60_000;

export type Undo = () => void;

interface Waiting {
  readonly payload: Buffer;
  readonly undo: readonly Undo[];
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

/**
 * Confirms a commit after `fdatasync`, one sync for all that wait. If a write fails, cuts the file back to its last
 * confirmed commit, and refuses commits until the disk accepts writes again.
 */
export class StorageLog {
  readonly #folder: DataFolder;
  logBytes = 0;
  snapshotBytes = 0;
  hasOldFiles = false;
  #generation = 1;
  #unopened: LogToOpen | null = null;
  #handle: FileHandle | null = null;
  #queue: Waiting[] = [];
  #writing: Promise<void> | null = null;
  #last: Promise<void> | null = null;
  #failure: DatabaseError | null = null;
  #recovery: Promise<boolean> | null = null;
  #triedAt = 0;
  #isCompacting = false;
  #compactionFailedAt = -Infinity;

  /** `rollBack`: called before anybody gets the error, with functions that undo the lost commits, in their order. */
  constructor(
    folder: string,
    private readonly report: (line: string) => void,
    private readonly rollBack: (lost: readonly Undo[]) => void,
  ) {
    this.#folder = new DataFolder(folder, report);
  }

  get failure(): DatabaseError | null {
    return this.#failure;
  }

  /** Replays the folder and opens the last log for appending. With a full disk, that waits until there is space. */
  async open(apply: (payload: Buffer) => void): Promise<void> {
    const { log, snapshotBytes, hasOldFiles } = this.#folder.replay(apply);
    this.snapshotBytes = snapshotBytes;
    this.hasOldFiles = hasOldFiles;
    try {
      await this.#openLog(log);
    } catch (error) {
      if (!isFull(error)) throw error;
      this.#unopened = log;
      this.#refuse(storageFailure(error));
    }
  }

  async #openLog(log: LogToOpen): Promise<void> {
    const handle = await this.#folder.openLog(log);
    await this.#handle?.close();
    this.#handle = handle;
    this.#generation = log.generation;
    this.#unopened = null;
    this.logBytes = (await handle.stat()).size;
  }

  /** Resolves when the commit is on disk; rejects if it could not be written and was undone in memory. */
  append(payload: Buffer, undo: readonly Undo[]): Promise<void> {
    const written = new Promise<void>((resolve, reject) => {
      this.#queue.push({ payload, undo, resolve, reject });
      this.#writing ??= this.#drain();
    });
    this.#last = written;
    return written;
  }

  settled(): Promise<void> {
    return this.#last ?? Promise.resolve();
  }

  get isSettled(): boolean {
    return this.#last === null;
  }

  async #drain(): Promise<void> {
    while (this.#queue.length > 0) {
      const batch = this.#queue.splice(0, maxFramesOfBatch);
      try {
        await this.#writeBatch(batch.map(({ payload }) => payload));
        if (this.#queue.length === 0) this.#last = null;
        for (const { resolve } of batch) resolve();
      } catch (error) {
        await this.#fail(error, batch);
      }
    }
    this.#writing = null;
  }

  async #writeBatch(payloads: readonly Buffer[]): Promise<void> {
    const handle = this.#handle;
    if (handle === null) throw new Error("the log is closed");
    const start = this.logBytes;
    const bytes = Buffer.concat(payloads.flatMap((payload, place) => [frameHeader(payload, start, place), payload]));
    await writeAll(handle, bytes, start);
    await handle.datasync();
    this.#folder.requireFiles(); // before anybody gets the confirmation
    this.logBytes += bytes.length;
  }

  #refuse(failure: DatabaseError): void {
    this.#failure = failure;
    this.#triedAt = performance.now();
    this.report(failure.message);
  }

  /** Undoes the current batch and everything waiting after it, on disk and in memory, then reports the error. */
  async #fail(error: unknown, batch: readonly Waiting[]): Promise<void> {
    const failure = storageFailure(error);
    this.#refuse(failure);
    // Before anybody gets the error: whole frames may already be on disk, and would count at the next start.
    await this.#cutBack().catch((reason: unknown) => this.report(`the log cannot be cut back yet: ${String(reason)}`));
    const lost = [...batch, ...this.#queue.splice(0)];
    this.#last = null;
    this.rollBack(lost.flatMap(({ undo }) => undo));
    for (const { reject } of lost) reject(failure);
  }

  async #cutBack(): Promise<void> {
    await this.#handle?.truncate(this.logBytes);
    await this.#handle?.datasync();
  }

  /** After a failure, checks at most once a second whether the disk accepts writes again. A lost file stays lost. */
  async recover(): Promise<boolean> {
    if (this.#failure === null) return true;
    if (isLostFile(this.#failure)) return false;
    if (this.#recovery === null && performance.now() - this.#triedAt < retryMilliseconds) return false;
    this.#recovery ??= this.#tryAgain().finally(() => {
      this.#recovery = null;
      this.#triedAt = performance.now();
    });
    return this.#recovery;
  }

  async #tryAgain(): Promise<boolean> {
    try {
      while (this.#writing) await this.#writing;
      if (this.#unopened) await this.#openLog(this.#unopened);
      await this.#cutBack();
      if (!(await hasSpace(this.#folder.path))) return false;
    } catch {
      return false;
    }
    this.#failure = null;
    this.report("the disk takes writes again");
    return true;
  }

  isWorthCompacting(minimumBytes: number): boolean {
    if (this.#isCompacting || performance.now() - this.#compactionFailedAt < compactionRestMilliseconds) return false;
    return this.logBytes > Math.max(minimumBytes, this.snapshotBytes);
  }

  /**
   * From the call of `dump` on, commits go to a new log. A crash at any point leaves either the old files or the new
   * snapshot complete. `dump`: null if some of the state is not on disk yet, so it is called again.
   */
  async compact(dump: () => Iterable<Buffer> | null): Promise<void> {
    if (this.#isCompacting || this.#failure) return;
    this.#isCompacting = true;
    try {
      this.#folder.requireFiles(); // otherwise the snapshot would end up among foreign files
      let entries = dump();
      while (entries === null) {
        await (this.#writing ?? nextEvent());
        if (this.failure) return;
        entries = dump();
      }
      const generation = this.#generation + 1;
      // Commits wait in the queue, so that none falls between the captured state and the new log.
      const switched = this.#openLog({ generation, torn: null });
      this.#writing = switched.catch(() => undefined).then(() => this.#drain());
      await switched;
      const target = this.#folder.file("snapshot", generation);
      try {
        this.snapshotBytes = await writeSnapshot(`${target}.tmp`, entries);
        await rename(`${target}.tmp`, target);
      } catch (error) {
        await rm(`${target}.tmp`, { force: true }); // a partial snapshot would take up space on a full disk
        throw error;
      }
      this.#folder.use(target);
      this.#folder.sync();
      this.#folder.removeBefore(generation);
      if (this.hasOldFiles)
        this.report("files of an older format were rewritten: older versions cannot open them any more");
      this.hasOldFiles = false;
    } catch (error) {
      this.#compactionFailedAt = performance.now();
      throw error;
    } finally {
      this.#isCompacting = false;
    }
  }

  async close(): Promise<void> {
    while (this.#writing) await this.#writing;
    await this.#handle?.close();
    this.#handle = null;
  }
}

import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  unlinkSync,
  writeFileSync,
  type BigIntStats,
} from "node:fs";
import { open, type FileHandle } from "node:fs/promises";
import { join } from "node:path";
import { DamagedFile, firstFrame, readFrames } from "./frames";
import { readSnapshot } from "./snapshot";
import { lostFile } from "./space";

const maxTails = 3;
const maxTailBytes = 64 * 1024 * 1024;

export interface LogToOpen {
  readonly generation: number;
  /** The last log, if it ends with an unfinished write. */
  readonly torn: { readonly file: string; readonly end: number } | null;
}

interface Replayed {
  readonly log: LogToOpen;
  readonly snapshotBytes: number;
  readonly hasOldFiles: boolean;
}

/**
 * `snapshot-<n>.db` is the whole state at the start of log n, `log-<n>.db` has the commits since. A crash during
 * compaction leaves several logs and the older snapshot; then all are read in order.
 */
export class DataFolder {
  readonly #inUse = new Map<string, BigIntStats>();

  constructor(
    readonly path: string,
    private readonly report: (line: string) => void,
  ) {}

  file(kind: "log" | "snapshot", generation: number): string {
    return join(this.path, `${kind}-${generation}.db`);
  }

  #generations(kind: "log" | "snapshot"): number[] {
    const names = readdirSync(this.path).map((name) => new RegExp(`^${kind}-(\\d+)\\.db$`).exec(name)?.[1]);
    return names.flatMap((number) => (number === undefined ? [] : [Number(number)])).sort((a, b) => a - b);
  }

  /** Returns which log to continue. Removes leftovers of a compaction; writes nothing. */
  replay(apply: (payload: Buffer) => void): Replayed {
    const snapshot = this.#generations("snapshot").at(-1) ?? 0;
    const state = snapshot > 0 ? readSnapshot(this.file("snapshot", snapshot), apply) : null;
    const logs = this.#generations("log").filter((generation) => generation >= snapshot);
    const first = Math.max(snapshot, 1);
    logs.forEach((generation, place) => {
      if (generation !== first + place) throw new DamagedFile(this.file("log", first + place), 0, "it is missing");
    });
    if (snapshot > 0 && logs.length === 0) throw new DamagedFile(this.file("log", snapshot), 0, "it is missing");
    const read = logs.map((generation) => {
      const file = this.file("log", generation);
      return { file, ...readFrames(file, generation === logs.at(-1), apply) };
    });
    for (const name of readdirSync(this.path)) if (name.endsWith(".tmp")) unlinkSync(join(this.path, name));
    this.removeBefore(snapshot);
    if (snapshot > 0) this.use(this.file("snapshot", snapshot));
    for (const { file } of read) this.use(file);
    const last = read.at(-1);
    const generation = logs.at(-1) ?? 0;
    return {
      // Older versions append to a log of an older format, and cut off what they do not know. So the next log is started.
      log: {
        generation: last?.isLatest === true ? generation : generation + 1,
        torn: last && last.end < last.size ? last : null,
      },
      snapshotBytes: state?.end ?? 0,
      hasOldFiles: [state, ...read].some((one) => one?.isLatest === false),
    };
  }

  async openLog({ generation, torn }: LogToOpen): Promise<FileHandle> {
    if (torn) this.#cut(torn.file, torn.end);
    const file = this.file("log", generation);
    if (!existsSync(file)) {
      // So that a crash leaves no file without its first frame.
      this.#write(`${file}.tmp`, firstFrame());
      renameSync(`${file}.tmp`, file);
      this.sync();
    }
    const handle = await open(file, "r+");
    this.use(file, await handle.stat({ bigint: true }));
    return handle;
  }

  /** Cuts off the end of a log, but keeps a copy: what looks unfinished may come from another program. */
  #cut(file: string, end: number): void {
    const tail = readFileSync(file).subarray(end);
    if (tail.length === 0) return; // already cut, before the disk was full
    const kept = join(this.path, `unfinished-${new Date().toISOString().replaceAll(/[:.]/g, "-")}.bin`);
    this.#write(kept, tail.subarray(0, maxTailBytes));
    this.sync();
    const fd = openSync(file, "r+");
    try {
      ftruncateSync(fd, end);
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
    this.report(`${file}: an unfinished write of ${tail.length} bytes at byte ${end} was cut off and moved to ${kept}`);
    const tails = readdirSync(this.path).filter((name) => /^unfinished-.*\.bin$/.test(name));
    for (const name of tails.sort().slice(0, -maxTails)) unlinkSync(join(this.path, name));
  }

  /** Writes a small file to disk, or leaves none. */
  #write(file: string, bytes: Buffer): void {
    try {
      writeFileSync(file, bytes, { mode: 0o600, flush: true });
    } catch (error) {
      rmSync(file, { force: true });
      throw error;
    }
  }

  use(file: string, stats = statSync(file, { bigint: true })): void {
    this.#inUse.set(file, stats);
  }

  /** Throws if an open file has lost its name: further writes would be gone at the next start. */
  requireFiles(): void {
    for (const [file, { dev, ino }] of this.#inUse) {
      const now = statSync(file, { bigint: true, throwIfNoEntry: false });
      if (now?.dev !== dev || now.ino !== ino) throw lostFile(file);
    }
  }

  removeBefore(generation: number): void {
    for (const kind of ["log", "snapshot"] as const) {
      for (const old of this.#generations(kind)) {
        if (old >= generation) continue;
        this.#inUse.delete(this.file(kind, old));
        unlinkSync(this.file(kind, old));
      }
    }
  }

  /** Makes names of new files survive a power failure. */
  sync(): void {
    if (process.platform === "win32") return;
    const fd = openSync(this.path, "r");
    try {
      fsyncSync(fd);
    } finally {
      closeSync(fd);
    }
  }
}

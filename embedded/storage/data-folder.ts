import { closeSync, fsyncSync, ftruncateSync, openSync, readdirSync, unlinkSync } from "node:fs";
import { join } from "node:path";
import { DamagedFile, readFrames } from "./frames";
import { readSnapshot } from "./snapshot";

/**
 * The files of a data folder: `snapshot-<n>.db`, the whole state when log n began, and `log-<n>.db`, the commits since. A
 * crash during compaction leaves several logs and the older snapshot; all are read then, in order.
 */
export class DataFolder {
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

  /** Replays snapshot and logs, cuts an unfinished tail off the last log, and tells which log goes on. */
  replay(apply: (payload: Buffer) => void): { readonly generation: number; readonly snapshotBytes: number } {
    for (const name of readdirSync(this.path)) if (name.endsWith(".tmp")) unlinkSync(join(this.path, name));
    const snapshot = this.#generations("snapshot").at(-1) ?? 0;
    const snapshotBytes = snapshot > 0 ? readSnapshot(this.file("snapshot", snapshot), apply) : 0;
    const logs = this.#generations("log").filter((generation) => generation >= snapshot);
    const first = Math.max(snapshot, 1);
    logs.forEach((generation, place) => {
      if (generation !== first + place) throw new DamagedFile(this.file("log", first + place), 0, "it is missing");
    });
    if (snapshot > 0 && logs.length === 0) throw new DamagedFile(this.file("log", snapshot), 0, "it is missing");
    for (const generation of logs) this.#replayLog(this.file("log", generation), generation === logs.at(-1), apply);
    this.removeBefore(snapshot);
    return { generation: logs.at(-1) ?? 1, snapshotBytes };
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

  /** Removes what a snapshot has made unnecessary. */
  removeBefore(generation: number): void {
    for (const kind of ["log", "snapshot"] as const) {
      for (const old of this.#generations(kind)) if (old < generation) unlinkSync(this.file(kind, old));
    }
  }

  /** Has the names of new files survive a loss of power. */
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

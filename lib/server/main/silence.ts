import { readThreadUse, type ThreadUse, usableMs } from "@/lib/platform/process/run-time";

/** So long a process may give no sign of its event loop, in milliseconds that it could have used (rule N4). */
export interface LongestSilence {
  readonly ms: number;
  /** While it starts: programs are loaded and policies compiled in one go. */
  readonly startingMs: number;
}
const usual: LongestSilence = { ms: 10_000, startingMs: 30_000 };
/** A machine that slept, or that gave `main` no time, has had no time for others either. */
const maxElapsedMs = 2_000;

/** How long a process has given no sign of its event loop. Counts from its start: one may hang before its first sign. */
export class Silence {
  readonly #pid: number | undefined;
  readonly #longest: LongestSilence;
  readonly #read: (pid: number) => ThreadUse | null;
  #lookedAt = performance.now();
  #use: ThreadUse | null;
  #sinceMs = 0;
  usableMs = 0;

  /** @param pid undefined when there is no process */
  constructor(pid: number | undefined, longest = usual, read = readThreadUse) {
    this.#pid = pid;
    this.#longest = longest;
    this.#read = read;
    this.#use = this.#readUse();
  }

  end(): void {
    this.#sinceMs = 0;
  }

  /** Call every second. Null, or once the seconds of a silence that is too long. */
  look(isReady: boolean): number | null {
    const now = performance.now();
    const use = this.#readUse();
    const usable = usableMs(Math.min(now - this.#lookedAt, maxElapsedMs), this.#use, use);
    [this.#lookedAt, this.#use] = [now, use];
    this.#sinceMs += usable;
    this.usableMs += usable;
    const max = isReady ? this.#longest.ms : this.#longest.startingMs;
    if (this.#sinceMs <= max) return null;
    this.#sinceMs = 0;
    return max / 1000;
  }

  #readUse(): ThreadUse | null {
    return this.#pid === undefined ? null : this.#read(this.#pid);
  }
}

import { readThreadUse, type ThreadUse, usableMs } from "@/lib/platform/process/run-time";

/** Maximum time without a sign of life from the event loop, in milliseconds that the process could have used. */
export interface LongestSilence {
  readonly ms: number;
  /** At the start, loading programs and compiling policies block it for longer. */
  readonly startingMs: number;
}
const usual: LongestSilence = { ms: 10_000, startingMs: 30_000 };
/** After sleep or without CPU for `main`, other processes had no time either. */
const maxElapsedMs = 2_000;

export class Silence {
  readonly #pid: number | undefined;
  readonly #longest: LongestSilence;
  readonly #read: (pid: number) => ThreadUse | null;
  #lookedAt = performance.now();
  #use: ThreadUse | null;
  #sinceMs = 0;
  usableMs = 0;

  constructor(pid: number | undefined, longest = usual, read = readThreadUse) {
    this.#pid = pid;
    this.#longest = longest;
    this.#read = read;
    this.#use = this.#readUse();
  }

  end(): void {
    this.#sinceMs = 0;
  }

  /** Call every second. Returns the seconds of a silence that is too long, once; otherwise null. */
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

const steadyMs = 5_000;
const longestWait = 30;

export class Backoff {
  readonly #secondMs: number;
  #deaths = 0;
  failedStarts = 0;

  constructor(secondMs = 1000) {
    this.#secondMs = secondMs;
  }

  /** Notes an exit and returns the delay: 0, then 1, 2, 4 … 30 s. `usefulMs`: how long the process worked; null: never. */
  next(usefulMs: number | null): number {
    this.failedStarts = usefulMs === null ? this.failedStarts + 1 : 0;
    if (usefulMs !== null && usefulMs >= steadyMs) this.#deaths = 0;
    this.#deaths += 1;
    return this.#deaths === 1 ? 0 : this.#secondMs * Math.min(longestWait, 2 ** (this.#deaths - 2));
  }
}

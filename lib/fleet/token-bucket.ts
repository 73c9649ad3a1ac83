/** Lets a number of events a second through, evenly spread: what is not taken gathers for one second. */
export class TokenBucket {
  readonly #perMs: number;
  readonly #capacity: number;
  #tokens = 1;
  #at: number;

  /** `now`: milliseconds of the clock that `take` gets. */
  constructor(perSecond: number, now: number) {
    this.#perMs = perSecond / 1000;
    this.#capacity = perSecond;
    this.#at = now;
  }

  take(now: number): boolean {
    this.#tokens = Math.min(this.#capacity, this.#tokens + (now - this.#at) * this.#perMs);
    this.#at = now;
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }
}

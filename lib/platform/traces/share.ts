/** Chooses a share of what comes by, at random. What is not chosen costs one comparison. */
export class Share {
  readonly #share: number;
  readonly #random: () => number;
  #left: number;

  /**
   * @param share from 0 to 1
   * @param random gives numbers from 0 to below 1; `Math.random` when not given
   */
  constructor(share: number, random: () => number = Math.random) {
    this.#share = share;
    this.#random = random;
    this.#left = this.#draw();
  }

  /** Whether this one is chosen. */
  take(): boolean {
    if (--this.#left > 0) return false;
    this.#left = this.#draw();
    return true;
  }

  /** How far away the next one is: as far as if each had been drawn by itself. */
  #draw(): number {
    if (this.#share >= 1) return 1;
    if (this.#share <= 0) return Infinity;
    return 1 + Math.floor(Math.log(1 - this.#random()) / Math.log(1 - this.#share));
  }
}

/**
 * Draws one of the requests since the last one that was read, each as likely as the others (rule S3). Taking the first
 * one that may be read would count the beginning of a burst for all of it.
 */
export class Draw<T> {
  times = 0;
  #drawn: { readonly body: Buffer; readonly facts: T } | null = null;
  /** For a drawn body that waits: the received one belongs to the request. */
  #memory = Buffer.alloc(0);

  get drawn(): { readonly body: Buffer; readonly facts: T } | null {
    return this.#drawn;
  }

  /** Returns whether the request is drawn, to be `put`. `random`: from 0 up to 1. */
  count(random: number): boolean {
    this.times += 1;
    return random * this.times < 1;
  }

  put(body: Buffer, facts: T): void {
    this.#drawn = { body, facts };
  }

  /** Copies the drawn body if it is the one that was just put. */
  hold(): void {
    if (this.#drawn === null || this.#drawn.body.buffer === this.#memory.buffer) return;
    const { body, facts } = this.#drawn;
    if (body.length > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(body.length);
    body.copy(this.#memory);
    this.#drawn = { body: this.#memory.subarray(0, body.length), facts };
  }

  clear(): void {
    this.times = 0;
    this.#drawn = null;
  }
}

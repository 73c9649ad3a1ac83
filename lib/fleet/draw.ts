/**
 * Draws one of the requests since the last one that was read, each as likely as the others (rule S3). Taking the first
 * one that may be read would count the begin of a burst for all of it.
 */
export class Draw<T> {
  times = 0;
  #drawn: { readonly body: Buffer; readonly facts: T } | null = null;
  /** For a drawn body that waits: the received one belongs to the request. */
  #memory = Buffer.alloc(0);

  get drawn(): { readonly body: Buffer; readonly facts: T } | null {
    return this.#drawn;
  }

  add(body: Buffer, facts: T, random: number): void {
    this.times += 1;
    if (random * this.times < 1) this.#drawn = { body, facts };
  }

  /** Copies the drawn body if it is the one that was just added. */
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

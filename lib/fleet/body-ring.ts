/**
 * Keeps copies of bodies, first in, first out, in one piece of memory. Keeping the received buffers themselves would let
 * each become old for the garbage collector, which frees old ones only after 64 MiB of them.
 */
export class BodyRing {
  readonly #size: number;
  readonly #kept: { readonly from: number; readonly to: number }[] = [];
  /** Allocated at the first body; the system provides its pages once they are used. */
  #memory: Buffer | null = null;

  constructor(size: number) {
    this.#size = size;
  }

  get count(): number {
    return this.#kept.length;
  }

  /** Returns the copy, valid until it is dropped; null: there is no room, or nothing to keep. */
  add(body: Buffer): Buffer | null {
    const from = this.#placeFor(body.length);
    if (from === null) return null;
    this.#memory ??= Buffer.allocUnsafeSlow(this.#size);
    body.copy(this.#memory, from);
    this.#kept.push({ from, to: from + body.length });
    return this.#memory.subarray(from, from + body.length);
  }

  /** Drops the first one. */
  drop(): void {
    this.#kept.shift();
  }

  #placeFor(length: number): number | null {
    if (length === 0) return null;
    const [first, last] = [this.#kept[0], this.#kept.at(-1)];
    if (first === undefined || last === undefined) return length <= this.#size ? 0 : null;
    const isWrapped = last.to <= first.from;
    if (isWrapped) return last.to + length <= first.from ? last.to : null;
    if (last.to + length <= this.#size) return last.to;
    return length <= first.from ? 0 : null;
  }
}

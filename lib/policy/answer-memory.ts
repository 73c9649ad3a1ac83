/** Answers share memory of this size, one after the other: allocating for each would take longer than writing it. */
const usualLength = 131_072;

/**
 * Memory that answers are written to. Whoever writes sets `at`, within what was reserved; what was handed over is never
 * touched again.
 */
export class AnswerMemory {
  /** The memory, for numbers. */
  view: DataView = new DataView(new ArrayBuffer(0));
  /** Where the next byte goes. */
  at = 0;
  readonly #sendInPlace: number;
  #memory: Buffer = Buffer.alloc(0);
  /** Where the bytes begin that are not handed over yet. */
  #start = 0;
  #buffers: Buffer[] = [];

  /** @param sendInPlace bytes from this number on are not copied */
  constructor(sendInPlace: number) {
    this.#sendInPlace = sendInPlace;
  }

  /** Number of bytes since the last ones that were not copied; for going back. */
  get length(): number {
    return this.at - this.#start;
  }

  set length(length: number) {
    this.at = this.#start + length;
  }

  /** Begins an answer; one that was not finished is forgotten. */
  begin(): void {
    this.#start = this.at;
    this.#buffers = [];
  }

  /** Makes room for so many bytes; moves what is not handed over when there is none. */
  reserve(byteCount: number): void {
    if (this.at + byteCount <= this.#memory.length) return;
    const begun = this.length;
    const memory = Buffer.allocUnsafeSlow(Math.max(usualLength, 2 * (begun + byteCount)));
    this.#memory.copy(memory, 0, this.#start, this.at);
    this.#take(memory, begun);
  }

  /** Adds bytes: few are copied, many stay where they are. */
  add(bytes: Buffer): void {
    if (bytes.length >= this.#sendInPlace) {
      this.#handOver();
      this.#buffers.push(bytes);
      return;
    }
    this.reserve(bytes.length);
    this.#memory.set(bytes, this.at);
    this.at += bytes.length;
  }

  /** Hands over everything written. */
  finish(): Buffer[] {
    this.#handOver();
    // Memory that grew for one large answer would be held by many small ones.
    if (this.#memory.length > usualLength) this.#take(Buffer.alloc(0), 0);
    return this.#buffers;
  }

  #handOver(): void {
    if (this.at > this.#start) this.#buffers.push(this.#memory.subarray(this.#start, this.at));
    this.#start = this.at;
  }

  #take(memory: Buffer, length: number): void {
    this.#memory = memory;
    this.view = new DataView(memory.buffer, memory.byteOffset, memory.length);
    this.#start = 0;
    this.at = length;
  }
}

/** Buffers to send one after the other. */
export interface AnswerBytes {
  readonly buffers: readonly Buffer[];
  readonly length: number;
}

/**
 * Pieces from this size on are sent from where they are; smaller ones are copied together. A write of its own takes longer
 * than copying the shared sections when they are compressed (26 kB), and not as long as copying them as they are (125 kB).
 */
const sendInPlace = 65_536;

/** Collects the pieces of an answer: small ones are copied together, large ones stay where they are. */
export class AnswerJoiner {
  readonly #buffers: Buffer[] = [];
  #small: (string | Buffer)[] = [];
  #smallLength = 0;
  #length = 0;

  addText(text: string): void {
    this.#addSmall(text, Buffer.byteLength(text));
  }

  addBytes(bytes: Buffer): void {
    if (bytes.length < sendInPlace) {
      this.#addSmall(bytes, bytes.length);
      return;
    }
    this.#flush();
    this.#buffers.push(bytes);
    this.#length += bytes.length;
  }

  /** Everything added, in order. */
  finish(): AnswerBytes {
    this.#flush();
    return { buffers: this.#buffers, length: this.#length };
  }

  #addSmall(piece: string | Buffer, length: number): void {
    this.#small.push(piece);
    this.#smallLength += length;
    this.#length += length;
  }

  #flush(): void {
    if (this.#small.length === 0) return;
    const joined = Buffer.allocUnsafe(this.#smallLength);
    let at = 0;
    for (const piece of this.#small) at += typeof piece === "string" ? joined.write(piece, at) : piece.copy(joined, at);
    this.#buffers.push(joined);
    this.#small = [];
    this.#smallLength = 0;
  }
}

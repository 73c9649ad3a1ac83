import { largestBody } from "@/lib/platform/http/read/read-body";

/** Why a body is not taken: too long, too slow, no room, displaced by a newer one of its client, or its sender left. */
export type NoBody = "length" | "deadline" | "bytes" | "client" | "gone";

/** The memory that a body takes, told to whoever bounds the sum. */
export interface Room {
  bytes: number;
}

/** The body of one request, from its first byte until it is no longer needed. */
export class Body {
  length = 0;
  readonly #room: Room;
  #memory: Buffer | null = null;

  constructor(room: Room) {
    this.#room = room;
  }

  /** Bytes of memory it takes; those it has grown into included. */
  get size(): number {
    return this.#memory?.length ?? 0;
  }

  /**
   * Takes the next piece. Pieces are copied together: sent byte by byte, they would take a hundred times their length.
   */
  add(piece: Buffer): void {
    const length = this.length + piece.length;
    if (this.#memory === null) this.#replace(piece);
    else if (length <= this.#memory.length) piece.copy(this.#memory, this.length);
    else {
      const grown = Buffer.allocUnsafeSlow(Math.max(length, Math.min(2 * this.length, largestBody)));
      this.#memory.copy(grown, 0, 0, this.length);
      piece.copy(grown, this.length);
      this.#replace(grown);
    }
    this.length = length;
  }

  /** What has come so far. */
  get content(): Buffer {
    if (this.#memory === null) return Buffer.alloc(0);
    return this.#memory.length === this.length ? this.#memory : this.#memory.subarray(0, this.length);
  }

  /** Gives its memory back; may be called again. */
  release(): void {
    this.#room.bytes -= this.size;
    this.#memory = null;
    this.length = 0;
  }

  #replace(memory: Buffer): void {
    this.#room.bytes += memory.length - this.size;
    this.#memory = memory;
  }
}

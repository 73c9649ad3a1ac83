import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";

/**
 * A finished piece of an answer: its bytes, and on demand the same bytes as deflate blocks that end on a byte boundary,
 * so that pieces can be joined into one gzip member without compressing anything again.
 */
export class Fragment {
  readonly bytes: Buffer;
  #deflated: Buffer | null = null;
  /** What each bit of the checksum before changes in the checksum after the bytes; for bytes too many to go through. */
  #changes: Int32Array | null = null;
  /** The checksum after the bytes when none came before. */
  #crc = 0;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** The bytes as complete deflate blocks; made when first asked for, then kept. */
  get deflated(): Buffer {
    return (this.#deflated ??= packed(deflateRawSync(this.bytes, smallPieces)));
  }

  /** Whether the compressed form was made beforehand. */
  get isAhead(): boolean {
    return this.#changes !== null;
  }

  /** Makes `deflated` beforehand on a thread of its own; for pieces too large for the request path. */
  async deflateAhead(): Promise<this> {
    if (this.#changes !== null) return this;
    this.#deflated ??= packed(await deflate(this.bytes, largePieces));
    this.#crc = crc32(this.bytes);
    this.#changes = Int32Array.from({ length: 32 }, (_, bit) => crc32(this.bytes, (1 << bit) >>> 0) ^ this.#crc);
    return this;
  }

  /**
   * The checksum of everything up to the end of this fragment (`processes.md` N16).
   *
   * The same as `crc32(bytes, crc)`, which takes 18 µs for the shared sections of a table: a sixth of all that a vehicle
   * costs. A checksum is linear, so every bit of the one before changes the one after in a way of its own, whatever the
   * other bits are; what was made ahead knows these changes.
   *
   * @param crc of everything before
   */
  carryOn(crc: number): number {
    // zlib takes no bytes for a question about its initial value.
    if (this.bytes.length === 0) return crc;
    if (this.#changes === null) return crc32(this.bytes, crc);
    let after = this.#crc;
    for (let bit = 0; bit < 32; bit++) if (((crc >>> bit) & 1) !== 0) after ^= this.#changes[bit] ?? 0;
    return after >>> 0;
  }
}

const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/** zlib hands out the beginning of a buffer of 16 KiB, which thousands of small pieces would keep. */
const packed = (deflated: Buffer): Buffer => Buffer.from(deflated);

/** A full flush ends the last block on a byte boundary without marking it as the final one. */
const largePieces: ZlibOptions = { level: 9, memLevel: 9, finishFlush: constants.Z_FULL_FLUSH };
/** An app entry is below 4 KiB as a rule: a smaller window costs nothing and saves clearing a large one. */
const smallPieces: ZlibOptions = { ...largePieces, windowBits: 12, memLevel: 5 };

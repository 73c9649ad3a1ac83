import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";

/** A piece of an answer, also as deflate blocks that end on a byte boundary: joining compresses nothing again. */
export class Fragment {
  readonly bytes: Buffer;
  #deflated: Buffer | null = null;
  /** How each bit of the previous checksum changes the checksum after the bytes; only for long pieces. */
  #changes: Int32Array | null = null;
  #crc = 0;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
  }

  /** The bytes as complete deflate blocks; compressed on first use, then kept. */
  get deflated(): Buffer {
    return (this.#deflated ??= packed(deflateRawSync(this.bytes, smallPieces)));
  }

  get isAhead(): boolean {
    return this.#changes !== null;
  }

  /** Prepares `deflated` on another thread, for pieces too large for the request path. */
  async deflateAhead(): Promise<this> {
    if (this.#changes !== null) return this;
    this.#deflated ??= packed(await deflate(this.bytes, largePieces));
    this.#crc = crc32(this.bytes);
    this.#changes = Int32Array.from({ length: 32 }, (_, bit) => crc32(this.bytes, (1 << bit) >>> 0) ^ this.#crc);
    return this;
  }

  /**
   * The checksum up to here, given that of everything before (`processes.md` N16). `crc32(bytes, crc)` takes 18 µs for
   * the shared sections: a sixth of a vehicle's total cost. A checksum is linear, so each bit of the previous one
   * changes the result independently of the others; these changes are computed beforehand.
   */
  carryOn(crc: number): number {
    // For no bytes, zlib returns its initial value.
    if (this.bytes.length === 0) return crc;
    if (this.#changes === null) return crc32(this.bytes, crc);
    let after = this.#crc;
    for (let bit = 0; bit < 32; bit++) if (((crc >>> bit) & 1) !== 0) after ^= this.#changes[bit] ?? 0;
    return after >>> 0;
  }
}

const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/** zlib returns a slice of a 16 KiB buffer, which thousands of small pieces would keep in memory. */
const packed = (deflated: Buffer): Buffer => Buffer.from(deflated);

/** A full flush ends the last block on a byte boundary without marking it as the final one. */
const largePieces: ZlibOptions = { level: 9, memLevel: 9, finishFlush: constants.Z_FULL_FLUSH };
/** App entries are usually smaller than 4 KiB, so a small window loses nothing and avoids clearing a large one. */
const smallPieces: ZlibOptions = { ...largePieces, windowBits: 12, memLevel: 5 };

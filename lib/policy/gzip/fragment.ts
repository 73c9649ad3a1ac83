import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";

/** A piece of an answer, also as deflate blocks that end on a byte boundary: joining compresses nothing again. */
export class Fragment {
  readonly bytes: Buffer;
  #deflated: Buffer | null = null;
  /** How each bit of the previous checksum changes the checksum after the bytes; only for long pieces. */
  #changes: Int32Array | null = null;
  #crc = 0;

  constructor(content: string | Buffer) {
    this.bytes = typeof content === "string" ? Buffer.from(content) : content;
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
    return this.#changes === null
      ? this.setDeflated(this.#deflated ?? (await deflatePiece(this.bytes)).deflated)
      : this;
  }

  /** The same with a compressed form of the bytes that is already there. */
  setDeflated(deflated: Buffer): this {
    this.#deflated = deflated;
    this.#crc = crc32(this.bytes);
    this.#changes = changesAfter(this.bytes.length);
    return this;
  }

  /**
   * The checksum up to here, given that of everything before (`processes.md` N16). `crc32(bytes, crc)` takes 18 µs for
   * the shared sections: a sixth of a vehicle's total cost. A checksum is linear, so each bit of the previous one
   * changes the result independently of the others and of the bytes; these changes are computed beforehand.
   */
  carryOn(crc: number): number {
    // For no bytes, zlib returns its initial value.
    if (this.bytes.length === 0) return crc;
    if (this.#changes === null) return crc32(this.bytes, crc);
    return (this.#crc ^ change(crc, this.#changes)) >>> 0;
  }
}

function change(crc: number, changes: Int32Array): number {
  let changed = 0;
  for (let bit = 0; bit < 32; bit++) if (((crc >>> bit) & 1) !== 0) changed ^= changes[bit] ?? 0;
  return changed;
}

const zero = Buffer.alloc(1);
const byteChanges = Int32Array.from({ length: 32 }, (_, bit) => crc32(zero, (1 << bit) >>> 0) ^ crc32(zero));

/** How each bit of a checksum changes that after so many bytes, whatever they are: after 2n as twice after n. */
function changesAfter(length: number): Int32Array {
  if (length === 0) return Int32Array.from({ length: 32 }, (_, bit) => 1 << bit);
  const half = changesAfter(length >>> 1);
  const twice = half.map((one) => change(one, half));
  return length % 2 === 0 ? twice : twice.map((one) => change(one, byteChanges));
}

const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);
export async function deflatePiece(bytes: Buffer) {
  return { bytes, deflated: packed(await deflate(bytes, largePieces)) };
}

/** zlib returns a slice of a 16 KiB buffer, which thousands of small pieces would keep in memory. */
const packed = (deflated: Buffer): Buffer => Buffer.from(deflated);

/** A full flush ends the last block on a byte boundary without marking it as the final one. */
const largePieces: ZlibOptions = { level: 9, memLevel: 9, finishFlush: constants.Z_FULL_FLUSH };
/** App entries are usually smaller than 4 KiB, so a small window loses nothing and avoids clearing a large one. */
const smallPieces: ZlibOptions = { ...largePieces, windowBits: 12, memLevel: 5 };

import { promisify } from "node:util";
import { constants, crc32, deflateRaw, deflateRawSync, type ZlibOptions } from "node:zlib";
import { crcShift, type CrcShift } from "@/lib/policy/crc32";

/**
 * A finished piece of an answer: its bytes, and on demand the same bytes as deflate blocks that end on a byte boundary,
 * so that pieces can be joined into one gzip member without compressing anything again.
 */
export class Fragment {
  readonly bytes: Buffer;
  readonly crc: number;
  /** See `crcShift`. */
  readonly shift: CrcShift;
  #deflated: Buffer | null = null;

  constructor(text: string) {
    this.bytes = Buffer.from(text);
    this.crc = crc32(this.bytes);
    this.shift = crcShift(this.bytes.length);
  }

  /** The bytes as complete deflate blocks; made when first asked for, then kept. */
  get deflated(): Buffer {
    return (this.#deflated ??= deflateRawSync(this.bytes, smallPieces));
  }

  /** Makes `deflated` beforehand on a thread of its own; for pieces too large for the request path. */
  async deflateAhead(): Promise<this> {
    this.#deflated ??= await deflate(this.bytes, largePieces);
    return this;
  }
}

const deflate = promisify<Buffer, ZlibOptions, Buffer>(deflateRaw);

/** A full flush ends the last block on a byte boundary without marking it as the final one. */
const largePieces: ZlibOptions = { level: 9, memLevel: 9, finishFlush: constants.Z_FULL_FLUSH };
/** An app entry is below 4 KiB as a rule: a smaller window costs nothing and saves clearing a large one. */
const smallPieces: ZlibOptions = { ...largePieces, windowBits: 12, memLevel: 5 };

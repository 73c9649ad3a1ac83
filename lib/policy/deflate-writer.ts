import {
  distanceToken,
  farthestDistance,
  lengthTokens,
  literalBits,
  literalCounts,
  longestMatch,
  shortestMatch,
} from "@/lib/policy/deflate-codes";
import type { AnswerMemory } from "@/lib/policy/answer-memory";
import { compound, type PieceTable } from "@/lib/policy/piece-table";

/** A place in the stream to which writing can be taken back. */
export interface DeflateMark {
  readonly length: number;
  readonly bits: number;
  readonly used: number;
  readonly isOpen: boolean;
}

const longestStoredBlock = 65_535;
/** Bytes that block headers and ends take, generously. */
const slack = 64;

/**
 * Writes a deflate stream (RFC 1951) out of literals, matches and finished blocks; it looks for nothing itself.
 *
 * Bits are stored by writing four bytes where the stream ends, of which the next bits overwrite what is not complete.
 */
export class DeflateWriter {
  readonly #out: AnswerMemory;
  /** Bits of the byte that is not complete, and their number (0 to 7). */
  #bits = 0;
  #used = 0;
  /** Whether a block with fixed codes has been begun and not ended. */
  #isOpen = false;

  constructor(out: AnswerMemory) {
    this.#out = out;
  }

  /** Begins a stream on a byte boundary; one that was not finished is forgotten. */
  begin(): void {
    this.#bits = 0;
    this.#used = 0;
    this.#isOpen = false;
  }

  /** Makes room for so many bytes, be they literals or matches; call before writing them. */
  reserve(byteCount: number): void {
    // At worst a match of three bytes takes 31 bits.
    this.#out.reserve(slack + ((byteCount * 11) >>> 3));
  }

  /** Begins a block with fixed codes unless one is open (RFC 1951, 3.2.6). */
  open(): void {
    if (this.#isOpen) return;
    this.#put(0b010, 3);
    this.#isOpen = true;
  }

  /** Literals that are met for the first time; the room for them has to be reserved. */
  literals(bytes: Uint8Array): void {
    for (const byte of bytes) this.#put(literalBits[byte] ?? 0, literalCounts[byte] ?? 0);
  }

  /**
   * Writes a fragment piece by piece; the room for it has to be reserved. A piece that stood near enough before becomes
   * a match, neighbours that stood together become one, everything else is copied as literals.
   *
   * @param steps see `PiecedFragment.steps`
   * @param position of the fragment, on the scale of the table
   * @returns the number of bytes written as literals
   */
  pieces(steps: Int32Array, { lengths, lastAt, longer, codes }: PieceTable, position: number): number {
    const { view } = this.#out;
    // Fields are too slow for a loop that runs for every group of every app.
    let to = this.#out.at;
    let bits = this.#bits;
    let used = this.#used;
    let at = position;
    let literals = 0;
    let distance = 0;
    let length = 0;
    const end = steps.length;
    for (let step = 0, isMore = true; isMore;) {
      let back = 0;
      let added = 0;
      let source = steps;
      let from = 0;
      let bitCount = 0;
      isMore = step < end;
      if (isMore) {
        const piece = steps[step++] ?? 0;
        if (piece < 0) {
          bitCount = steps[step++] ?? 0;
          from = step;
          step += (bitCount + 31) >>> 5;
          at += ~piece;
          literals += ~piece;
        } else if (piece >= compound) {
          const number = piece - compound;
          const count = steps[step++] ?? 0;
          back = at - (lastAt[number] ?? 0);
          lastAt[number] = at;
          if (back > farthestDistance) continue;
          added = lengths[number] ?? 0;
          step += count;
          at += added;
        } else {
          added = lengths[piece] ?? 0;
          back = at - (lastAt[piece] ?? 0);
          lastAt[piece] = at;
          at += added;
          if (back === distance) {
            length += added;
            continue;
          }
          if (back > farthestDistance) {
            // A piece that is its own longer one was just noted here.
            back = at - added - (lastAt[longer[piece] ?? 0] ?? 0);
            if (back === 0 || back > farthestDistance) {
              back = 0;
              literals += added;
              const code = codes[piece];
              if (code) {
                source = code.words;
                bitCount = code.bitCount;
              }
            }
          }
        }
      }
      if (length > 0) {
        const far = distanceToken(distance);
        do {
          // A rest of one or two bytes could not be written.
          let part = length;
          if (part > longestMatch)
            part = part < longestMatch + shortestMatch ? longestMatch - shortestMatch : longestMatch;
          length -= part;
          const near = lengthTokens[part] ?? 0;
          bits |= (near >>> 5) << used;
          used += near & 31;
          view.setInt32(to, bits, true);
          to += used >>> 3;
          bits >>>= used & 24;
          used &= 7;
          bits |= (far >>> 5) << used;
          used += far & 31;
          view.setInt32(to, bits, true);
          to += used >>> 3;
          bits >>>= used & 24;
          used &= 7;
        } while (length > 0);
      }
      distance = back;
      if (back > 0) {
        length = added;
        continue;
      }
      const left = 31 - used;
      for (const last = from + (bitCount >>> 5); from < last; from++, to += 4) {
        const next = source[from] ?? 0;
        view.setInt32(to, bits | (next << used), true);
        bits = (next >>> 1) >>> left;
      }
      let rest = bitCount & 31;
      if (rest > 0) {
        let value = source[from] ?? 0;
        // Four bytes hold no more than 25 bits on top of an incomplete byte.
        if (rest > 16) {
          bits |= (value & 0xffff) << used;
          view.setInt32(to, bits, true);
          to += 2;
          bits >>>= 16;
          value >>>= 16;
          rest -= 16;
        }
        bits |= value << used;
        used += rest;
        view.setInt32(to, bits, true);
        to += used >>> 3;
        bits >>>= used & 24;
        used &= 7;
      }
    }
    this.#out.at = to;
    this.#bits = bits;
    this.#used = used;
    return literals;
  }

  /** Bytes as they are (RFC 1951, 3.2.4). */
  stored(bytes: Buffer): void {
    this.#close();
    for (let start = 0; start < bytes.length; start += longestStoredBlock) {
      const isWhole = bytes.length <= longestStoredBlock;
      const block = isWhole ? bytes : bytes.subarray(start, start + longestStoredBlock);
      this.#storedHeader(block.length);
      this.#out.add(block);
    }
  }

  /** Blocks that begin and end on a byte boundary. */
  ready(blocks: Buffer): void {
    this.#close();
    if (this.#used > 0) this.#storedHeader(0);
    this.#out.add(blocks);
  }

  mark(): DeflateMark {
    return { length: this.#out.length, bits: this.#bits, used: this.#used, isOpen: this.#isOpen };
  }

  /** Takes back the literals and matches written since; finished bytes cannot be taken back. */
  takeBack({ length, bits, used, isOpen }: DeflateMark): void {
    this.#out.length = length;
    this.#bits = bits;
    this.#used = used;
    this.#isOpen = isOpen;
  }

  /** Bits written since. */
  bitsSince({ length, used }: DeflateMark): number {
    return (this.#out.length - length) * 8 + this.#used - used;
  }

  /** Ends the stream with an empty final block, on a byte boundary. */
  end(): void {
    this.reserve(0);
    this.#close();
    this.#put(0b011, 3);
    this.#put(0, 7);
    this.#put(0, -this.#used & 7);
  }

  /** Adds up to 24 bits; those above `count` are zero. */
  #put(value: number, count: number): void {
    const bits = this.#bits | (value << this.#used);
    const used = this.#used + count;
    this.#out.view.setInt32(this.#out.at, bits, true);
    this.#out.at += used >>> 3;
    this.#bits = bits >>> (used & 24);
    this.#used = used & 7;
  }

  /** Ends the open block. */
  #close(): void {
    if (!this.#isOpen) return;
    this.#put(0, 7);
    this.#isOpen = false;
  }

  /** Header of a stored block up to its bytes, which begin on a byte boundary. */
  #storedHeader(length: number): void {
    this.reserve(0);
    this.#put(0, 3);
    this.#put(0, -this.#used & 7);
    this.#put(length, 16);
    this.#put(~length & 0xffff, 16);
  }
}

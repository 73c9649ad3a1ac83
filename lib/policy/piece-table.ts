import { encodeLiterals, farthestDistance, type LiteralCodes } from "@/lib/policy/deflate-codes";

/** More pieces than any policy is known to have; bounds the memory of a table. */
const capacity = 4_096;
/** Every set of groups makes one; there may be as many as apps. */
const compoundCapacity = 1_024;

/** Added to the number of a piece that is followed by the pieces it consists of. */
export const compound = 2 ** 30;

/** A position that nothing can refer back to. */
const never = -farthestDistance - 1;

/**
 * Texts that many app entries of one policy share, numbered from 0 on: names of functional groups and the constant
 * texts around what differs. A table also remembers where each piece stood last, for the one answer being written.
 */
export class PieceTable {
  /** Length of each piece in bytes. */
  readonly lengths = new Int32Array(capacity + compoundCapacity);
  /** Codes of each piece as literals; compounds have none. */
  readonly codes: LiteralCodes[] = [];
  /** Number of a piece that begins with this one, or the piece's own. */
  readonly longer = new Int32Array(capacity);
  /** Where each piece stood last, on a scale that goes on from answer to answer. */
  readonly lastAt = new Int32Array(capacity + compoundCapacity).fill(never);
  readonly #numbers = new Map<string, number>();
  readonly #compounds = new Map<string, number>();
  #age = 0;

  /** Whether another policy should rather begin a table of its own: renamed groups leave their old names behind. */
  get isWorn(): boolean {
    return this.#numbers.size > capacity / 2;
  }

  /** Forgets where pieces stood when the positions have begun anew since. */
  enter(age: number): void {
    if (age === this.#age) return;
    this.#age = age;
    this.lastAt.fill(never);
  }

  /**
   * The number of a text; null when it has none and the table is full.
   *
   * @param longer number of a piece that begins with this text
   */
  numberOf(text: string, longer?: number | null): number | null {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    if (number >= capacity) return null;
    const bytes = Buffer.from(text);
    this.#numbers.set(text, number);
    this.lengths[number] = bytes.length;
    this.codes.push(encodeLiterals(bytes));
    this.longer[number] = longer ?? number;
    return number;
  }

  /** The same for a text that consists of other pieces and is never written as literals itself. */
  numberOfCompound(text: string): number | null {
    const known = this.#compounds.get(text);
    if (known !== undefined) return known;
    if (this.#compounds.size >= compoundCapacity) return null;
    const number = capacity + this.#compounds.size;
    this.#compounds.set(text, number);
    this.lengths[number] = Buffer.byteLength(text);
    return number;
  }
}

import { encodeLiterals } from "@/lib/policy/deflate-codes";
import { splitEntry, type EntryPiece } from "@/lib/policy/entry-pieces";
import { Fragment } from "@/lib/policy/fragment";
import { compound, type PieceTable } from "@/lib/policy/piece-table";

/**
 * A fragment whose text is known as a sequence of pieces, some of them shared with other fragments: where a piece stood
 * before in an answer, it is written as a reference.
 */
export class PiecedFragment extends Fragment {
  readonly table: PieceTable;
  readonly #text: string;
  #steps: Int32Array | null = null;
  #isMostlyOwn: boolean | null = null;

  constructor(text: string, table: PieceTable) {
    super(text);
    this.table = table;
    this.#text = text;
  }

  /**
   * How to write the text. A number from 0 on stands for that piece of the table; from `compound` on for a piece made
   * of the others that follow, after their number; a negative one is the complement of a number of bytes, whose literal
   * codes follow (their number of bits, then the words).
   */
  get steps(): Int32Array {
    return (this.#steps ??= buildSteps(splitEntry(this.#text), this.table));
  }

  /** Whether most of the text is the app's own and long, like a certificate: references would save little. */
  get isMostlyOwn(): boolean {
    return (this.#isMostlyOwn ??= ownBytes(this.steps) >= longOwn);
  }
}

/** Copying codes of a longer text takes longer than copying its blocks, which are shorter too. */
const longOwn = 512;

function ownBytes(steps: Int32Array): number {
  let sum = 0;
  for (let step = 0; step < steps.length;) {
    const piece = steps[step++] ?? 0;
    if (piece >= compound) step++;
    else if (piece < 0) {
      sum += ~piece;
      step += 1 + (((steps[step] ?? 0) + 31) >>> 5);
    }
  }
  return sum;
}

/** Referring to a shorter text takes as many bits as the text, or cannot be done at all. */
const shortestShared = 5;
/** Fewer pieces are found as fast one by one. */
const leastCompound = 4;

function buildSteps(pieces: readonly EntryPiece[], table: PieceTable): Int32Array {
  const steps: number[] = [];
  let own = "";
  let run: number[] = [];
  let runText = "";
  const pushOwn = () => {
    if (own === "") return;
    const bytes = Buffer.from(own);
    const { words, bitCount } = encodeLiterals(bytes);
    steps.push(~bytes.length, bitCount, ...words);
    own = "";
  };
  const pushRun = () => {
    const number = run.length < leastCompound ? null : table.numberOfCompound(runText);
    if (number !== null) steps.push(compound + number, run.length);
    steps.push(...run);
    run = [];
    runText = "";
  };
  for (const { text, isOwn, longer } of pieces) {
    const isShared = !isOwn && text.length >= shortestShared;
    const number = isShared ? table.numberOf(text, longer === undefined ? null : table.numberOf(longer)) : null;
    if (number === null) {
      pushRun();
      own += text;
    } else {
      pushOwn();
      run.push(number);
      runText += text;
    }
  }
  pushOwn();
  pushRun();
  return Int32Array.from(steps);
}

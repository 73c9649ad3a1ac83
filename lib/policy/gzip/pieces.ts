import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { oncePer } from "@/lib/platform/once-per";
import { deflatePiece, Fragment } from "@/lib/policy/gzip/fragment";

/** Deflated pieces by the digest of their bytes. */
export type Pieces = ReadonlyMap<string, Buffer>;

/** In characters. Shorter pieces compress less well; longer ones take longer when something in them changes. */
const meanLength = 131_072;

/**
 * Compresses what similar texts do not contain already. Equal bytes have one compressed form, and whose they were does
 * not matter, so revisions cannot be mixed.
 */
export class Deflater {
  readonly #known: readonly Pieces[];
  readonly #pieces = new Map<string, Buffer>();
  readonly #cut = oncePer(cut);

  constructor(similar: readonly { readonly pieces: Pieces }[]) {
    this.#known = similar.map(({ pieces }) => pieces);
  }

  /** All that `deflate` has returned, and nothing else, so what is kept does not grow from revision to revision. */
  get pieces(): Pieces {
    return this.#pieces;
  }

  /** Joins lists of texts. A piece begins with each list, and equal lists are read once. */
  async deflate(lists: readonly (readonly string[])[]): Promise<Fragment> {
    const pieces = lists.flatMap(this.#cut);
    const deflated: Buffer[] = [];
    for (const piece of pieces) deflated.push(await this.#deflatePiece(piece));
    return new Fragment(Buffer.concat(pieces.map(({ bytes }) => bytes))).setDeflated(Buffer.concat(deflated));
  }

  async #deflatePiece({ bytes, digest }: Piece): Promise<Buffer> {
    const known = [this.#pieces, ...this.#known].find((pieces) => pieces.has(digest))?.get(digest);
    const deflated = known ?? (await deflatePiece(bytes));
    this.#pieces.set(digest, deflated);
    return deflated;
  }
}

interface Piece {
  readonly bytes: Buffer;
  readonly digest: string;
}

/** Whether a piece ends with a text depends on nothing but this text, so the others stay when one changes or leaves. */
function cut(texts: readonly string[]): Piece[] {
  const pieces: Piece[] = [];
  let piece = "";
  texts.forEach((text, place) => {
    piece += text;
    if (crc32(text) % meanLength >= text.length && place < texts.length - 1) return;
    const bytes = Buffer.from(piece);
    pieces.push({ bytes, digest: createHash("sha256").update(bytes).digest("base64") });
    piece = "";
  });
  return pieces;
}

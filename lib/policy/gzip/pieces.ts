import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
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

  constructor(similar: readonly { readonly pieces: Pieces }[]) {
    this.#known = similar.map(({ pieces }) => pieces);
  }

  /** All that `deflate` has returned, and nothing else, so what is kept does not grow from revision to revision. */
  get pieces(): Pieces {
    return this.#pieces;
  }

  /** Joins sections of texts. A piece begins with each section. */
  async deflate(sections: readonly (readonly string[])[]): Promise<Fragment> {
    const pieces = sections.flatMap((texts) => [...cut(texts)]).map((text) => Buffer.from(text));
    const deflated: Buffer[] = [];
    for (const piece of pieces) deflated.push(await this.#deflatePiece(piece));
    return new Fragment(Buffer.concat(pieces)).setDeflated(Buffer.concat(deflated));
  }

  async #deflatePiece(piece: Buffer): Promise<Buffer> {
    const digest = createHash("sha256").update(piece).digest("base64");
    const known = [this.#pieces, ...this.#known].find((pieces) => pieces.has(digest))?.get(digest);
    const deflated = known ?? (await deflatePiece(piece));
    this.#pieces.set(digest, deflated);
    return deflated;
  }
}

/** Whether a piece ends with a text depends on nothing but this text, so the others stay when one changes or leaves. */
function* cut(texts: readonly string[]): Generator<string> {
  let piece = "";
  for (const text of texts) {
    piece += text;
    if (crc32(text) % meanLength >= text.length) continue;
    yield piece;
    piece = "";
  }
  if (piece !== "") yield piece;
}

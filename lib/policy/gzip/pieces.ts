"one per process";

import { createHash } from "node:crypto";
import { oncePer } from "@/lib/platform/once-per";
import { deflatePiece, Fragment } from "@/lib/policy/gzip/fragment";

/** By the digest of what they consist of. */
export type Pieces = ReadonlyMap<string, Piece>;

interface Piece {
  readonly bytes: Buffer;
  readonly deflated: Buffer;
}

/** In characters. Shorter pieces compress less well; longer ones take longer when something in them changes. */
const minLength = 98_304;
const meanRest = 32_768;

/**
 * Compresses what similar texts do not contain already. Equal bytes have one compressed form, and whose they were does
 * not matter, so revisions cannot be mixed.
 */
export class Deflater {
  readonly #known: readonly Pieces[];
  readonly #pieces = new Map<string, Piece>();
  readonly #fragments = new Map<string, Fragment>();
  readonly #cut = oncePer(cut);

  constructor(similar: readonly { readonly pieces: Pieces }[]) {
    this.#known = similar.map(({ pieces }) => pieces);
  }

  /** All that `deflate` has returned, and nothing else, so what is kept does not grow from revision to revision. */
  get pieces(): Pieces {
    return this.#pieces;
  }

  /** Joins each list with commas. A piece begins with each list. */
  async deflate(lists: readonly (readonly Part[])[]): Promise<Fragment> {
    const pieces: (Piece & { readonly digest: string })[] = [];
    for (const { digest, text } of lists.flatMap(this.#cut)) {
      const known = [this.#pieces, ...this.#known].find((some) => some.has(digest))?.get(digest);
      pieces.push({ digest, ...(known ?? (await deflatePiece(Buffer.from(text())))) });
    }
    const bytes = Buffer.concat(pieces.map((piece) => piece.bytes));
    let at = 0;
    for (const { digest, deflated, bytes: own } of pieces) {
      // The bytes of earlier policies are not kept.
      this.#pieces.set(digest, { deflated, bytes: bytes.subarray(at, at + own.length) });
      at += own.length;
    }
    return new Fragment(bytes).setDeflated(Buffer.concat(pieces.map(({ deflated }) => deflated)));
  }

  /** The same in parts, which share the memory of what `base` contains: only the others take any. */
  async deflateBeside(base: Pieces, lists: readonly (readonly Part[])[]): Promise<readonly Fragment[]> {
    const fragments: Fragment[] = [];
    for (const { digest, text } of lists.flatMap(this.#cut)) {
      const shared = this.#pieces.get(digest) ?? base.get(digest);
      const known = shared ?? this.#known.find((some) => some.has(digest))?.get(digest);
      // Of an earlier policy, only the compressed form is taken: its bytes are a part of a larger memory.
      const bytes = shared?.bytes ?? Buffer.from(text());
      const deflated = known?.deflated ?? (await deflatePiece(bytes)).deflated;
      const fragment = this.#fragments.get(digest) ?? new Fragment(bytes).setDeflated(deflated);
      this.#pieces.set(digest, { bytes, deflated });
      this.#fragments.set(digest, fragment);
      fragments.push(fragment);
    }
    return fragments;
  }
}

interface Part {
  readonly text: string;
}

/** Once for each part that tables share. */
const digestOf = oncePer(({ text }: Part) => {
  const digest = createHash("sha256").update(text).digest();
  // Whether a long piece ends with a part depends on nothing else, so others stay when one changes or leaves.
  return { digest, mayEnd: digest.readUInt32LE() % meanRest < text.length };
});

function cut(list: readonly Part[]) {
  let length = 0;
  const ends = list.flatMap((part, at) => {
    length += part.text.length;
    const isEnd = at === list.length - 1 || (length >= minLength && digestOf(part).mayEnd);
    if (isEnd) length = 0;
    return isEnd ? at + 1 : [];
  });
  return ends.map((end, place) => {
    const from = ends[place - 1] ?? 0;
    const parts = list.slice(from, end);
    const comma = from === 0 ? "" : ",";
    const hash = createHash("sha256").update(comma);
    for (const part of parts) hash.update(digestOf(part).digest);
    return { digest: hash.digest("base64"), text: () => comma + parts.map(({ text }) => text).join(",") };
  });
}

import type { StoredDocument } from "./stored-document";

// An insertion moves at most one block, which takes microseconds up to some hundred thousand entries.

const blockSize = 512;

interface Block {
  readonly keys: string[];
  readonly documents: StoredDocument[];
}

/** Equal keys are ordered by the documents' natural order, so that one entry is found among many. */
function firstIn(block: Block, key: string, order: number): number {
  let low = 0;
  let high = block.keys.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    const other = block.keys[middle] ?? "";
    if (other < key || (other === key && (block.documents[middle]?.order ?? 0) < order)) low = middle + 1;
    else high = middle;
  }
  return low;
}

export class SortedList {
  #blocks: Block[] = [];

  load(entries: { key: string; document: StoredDocument }[]): void {
    entries.sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.document.order - b.document.order));
    this.#blocks = [];
    const fill = Math.floor(blockSize * 0.75);
    for (let at = 0; at < entries.length; at += fill) {
      const part = entries.slice(at, at + fill);
      this.#blocks.push({ keys: part.map(({ key }) => key), documents: part.map(({ document }) => document) });
    }
  }

  insert(key: string, document: StoredDocument): void {
    const at = Math.min(this.#blockFor(key, document.order), this.#blocks.length - 1);
    const block = this.#blocks[at];
    if (block === undefined) {
      this.#blocks.push({ keys: [key], documents: [document] });
      return;
    }
    const place = firstIn(block, key, document.order);
    block.keys.splice(place, 0, key);
    block.documents.splice(place, 0, document);
    if (block.keys.length <= blockSize) return;
    // Ascending insertions, the usual case, then leave full blocks.
    const keep = place === block.keys.length - 1 ? block.keys.length - 1 : block.keys.length >> 1;
    this.#blocks.splice(at + 1, 0, { keys: block.keys.splice(keep), documents: block.documents.splice(keep) });
  }

  remove(key: string, document: StoredDocument): void {
    const at = this.#blockFor(key, document.order);
    const block = this.#blocks[at];
    if (block === undefined) return;
    const place = firstIn(block, key, document.order);
    if (block.keys[place] !== key || block.documents[place]?.order !== document.order) return;
    block.keys.splice(place, 1);
    block.documents.splice(place, 1);
    if (block.keys.length === 0) this.#blocks.splice(at, 1);
  }

  #blockFor(key: string, order: number): number {
    let low = 0;
    let high = this.#blocks.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      const block = this.#blocks[middle];
      const last = block?.keys.at(-1) ?? "";
      if (last < key || (last === key && (block?.documents.at(-1)?.order ?? 0) < order)) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  count(low: string, high: string): number {
    let total = 0;
    for (let at = this.#blockFor(low, -1); at < this.#blocks.length; at++) {
      const block = this.#blocks[at];
      if (block === undefined || (block.keys[0] ?? high) >= high) break;
      const start = firstIn(block, low, -1);
      const isLast = (block.keys.at(-1) ?? "") >= high;
      total += (isLast ? firstIn(block, high, -1) : block.keys.length) - start;
      if (isLast) break;
    }
    return total;
  }

  /** The entries with low <= key < high in ascending order. Do not change the list during the iteration. */
  *ascending(low: string, high: string): Generator<[key: string, document: StoredDocument]> {
    const first = this.#blockFor(low, -1);
    for (let at = first; at < this.#blocks.length; at++) {
      const block = this.#blocks[at];
      if (block === undefined) return;
      for (let place = at === first ? firstIn(block, low, -1) : 0; place < block.keys.length; place++) {
        const key = block.keys[place];
        const document = block.documents[place];
        if (key === undefined || document === undefined || key >= high) return;
        yield [key, document];
      }
    }
  }

  *descending(low: string, high: string): Generator<[key: string, document: StoredDocument]> {
    const start = Math.min(this.#blockFor(high, -1), this.#blocks.length - 1);
    for (let at = start; at >= 0; at--) {
      const block = this.#blocks[at];
      if (block === undefined) return;
      const from = at === start ? firstIn(block, high, -1) : block.keys.length;
      for (let place = from - 1; place >= 0; place--) {
        const key = block.keys[place];
        const document = block.documents[place];
        if (key === undefined || document === undefined || key < low) return;
        yield [key, document];
      }
    }
  }
}

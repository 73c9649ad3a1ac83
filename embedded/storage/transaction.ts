import type { Collection } from "./collection";
import type { CollectionIndex, KeyChange } from "./collection-index";
import { SortedList } from "./sorted-list";
import type { StoredDocument } from "./stored-document";

interface Version {
  /** The document as this transaction sees it; null: it does not exist. */
  readonly document: StoredDocument | null;
  /** How this transaction wrote it. Null: kept because another transaction has changed the document. */
  readonly written: Written | null;
}

interface Written {
  /** What the transaction saw before. */
  readonly before: Buffer | null;
  readonly changes: readonly KeyChange[];
}

export class Overlay {
  readonly versions = new Map<string, Version>();
  readonly #lists = new Map<CollectionIndex, SortedList>();

  set(idKey: string, document: StoredDocument | null, written: Written | null): void {
    const before = this.versions.get(idKey) ?? null;
    const next = { document, written };
    this.versions.set(idKey, next);
    for (const [index, list] of this.#lists) {
      if (before?.document) for (const key of keysOf(index, before)) list.remove(key, before.document);
      if (document) for (const key of keysOf(index, next)) list.insert(key, document);
    }
  }

  listFor(index: CollectionIndex): SortedList {
    let list = this.#lists.get(index);
    if (list === undefined) {
      list = new SortedList();
      for (const version of this.versions.values()) {
        const { document } = version;
        if (document) for (const key of keysOf(index, version)) list.insert(key, document);
      }
      this.#lists.set(index, list);
    }
    return list;
  }
}

function keysOf(index: CollectionIndex, { document, written }: Version): readonly string[] {
  const known = written?.changes.find((change) => change.index === index)?.newKeys;
  return known ?? (document === null ? [] : index.keysOf(document.bytes));
}

/**
 * A transaction with snapshot isolation: when others commit, the replaced versions go into its overlays, so that it
 * still sees its initial state. The first that writes a document holds it to its end; others get a write conflict.
 */
export class Transaction {
  readonly overlays = new Map<Collection, Overlay>();
  readonly claims: { index: CollectionIndex; key: string }[] = [];
  readonly locks: { collection: Collection; idKey: string }[] = [];
  /** Resolves when the transaction has ended either way. Writers outside transactions wait for it. */
  readonly ended: Promise<void>;
  #settle: () => void = () => undefined;
  #isOver = false;

  get isOver(): boolean {
    return this.#isOver;
  }

  get isReading(): boolean {
    return this.locks.length === 0;
  }

  constructor() {
    this.ended = new Promise((resolve) => {
      this.#settle = resolve;
    });
  }

  overlay(collection: Collection): Overlay {
    let overlay = this.overlays.get(collection);
    if (overlay === undefined) this.overlays.set(collection, (overlay = new Overlay()));
    return overlay;
  }

  write(
    collection: Collection,
    idKey: string,
    document: StoredDocument | null,
    { taken, ...written }: Written & { readonly taken: readonly { index: CollectionIndex; key: string }[] },
  ): void {
    this.overlay(collection).set(idKey, document, written);
    if (collection.locks.get(idKey) !== this) {
      collection.locks.set(idKey, this);
      this.locks.push({ collection, idKey });
    }
    for (const { index, key } of taken) {
      index.claims.set(key, { transaction: this, idKey });
      this.claims.push({ index, key });
    }
  }

  keep(collection: Collection, idKey: string, document: StoredDocument | null): void {
    const overlay = this.overlay(collection);
    if (!overlay.versions.has(idKey)) overlay.set(idKey, document && { ...document }, null);
  }

  release(): void {
    for (const { collection, idKey } of this.locks) {
      if (collection.locks.get(idKey) === this) collection.locks.delete(idKey);
    }
    for (const { index, key } of this.claims) {
      if (index.claims.get(key)?.transaction === this) index.claims.delete(key);
    }
    this.#isOver = true;
    this.#settle();
  }
}

/** A write outside a transaction needs something that an open transaction holds. It waits and is retried. */
export class Blocked extends Error {
  constructor(readonly transaction: Transaction) {
    super("an open transaction holds the document");
  }
}

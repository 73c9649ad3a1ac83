import type { Collection } from "./collection";
import type { CollectionIndex } from "./collection-index";
import { SortedList } from "./sorted-list";
import type { StoredDocument } from "./stored-document";

interface Version {
  /** The document as this transaction sees it; null: it does not exist. */
  readonly document: StoredDocument | null;
  /** True: written by this transaction. False: kept because another transaction has changed the document. */
  readonly isOwn: boolean;
}

/** How a transaction's view of a collection differs from the committed state. */
export class Overlay {
  readonly versions = new Map<string, Version>();
  readonly #lists = new Map<CollectionIndex, SortedList>();

  set(idKey: string, document: StoredDocument | null, isOwn: boolean): void {
    const before = this.versions.get(idKey)?.document ?? null;
    this.versions.set(idKey, { document, isOwn });
    for (const [index, list] of this.#lists) {
      if (before) for (const key of index.keysOf(before.bytes)) list.remove(key, before);
      if (document) for (const key of index.keysOf(document.bytes)) list.insert(key, document);
    }
  }

  /** The index entries of this overlay's documents. Built on first use, then updated. */
  listFor(index: CollectionIndex): SortedList {
    let list = this.#lists.get(index);
    if (list === undefined) {
      list = new SortedList();
      for (const { document } of this.versions.values()) {
        if (document) for (const key of index.keysOf(document.bytes)) list.insert(key, document);
      }
      this.#lists.set(index, list);
    }
    return list;
  }
}

/**
 * A multi-document transaction with snapshot isolation. Its writes stay in overlays until it commits. When others commit,
 * the replaced versions go into its overlays, so that it still sees its initial state. The first transaction that writes a
 * document holds it until its end; a second one gets a write conflict.
 */
export class Transaction {
  readonly overlays = new Map<Collection, Overlay>();
  readonly claims: { index: CollectionIndex; key: string }[] = [];
  readonly locks: { collection: Collection; idKey: string }[] = [];
  /** Resolves when the transaction has ended either way. Writers outside transactions wait for it. */
  readonly ended: Promise<void>;
  #settle: () => void = () => undefined;
  #isOver = false;

  /** Whether it has ended, either way. */
  get isOver(): boolean {
    return this.#isOver;
  }

  /** Whether it has written nothing. */
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

  /** Adds a write, and holds the document and the newly taken unique keys until the end. */
  write(
    collection: Collection,
    idKey: string,
    document: StoredDocument | null,
    taken: readonly { readonly index: CollectionIndex; readonly key: string }[],
  ): void {
    this.overlay(collection).set(idKey, document, true);
    if (collection.locks.get(idKey) !== this) {
      collection.locks.set(idKey, this);
      this.locks.push({ collection, idKey });
    }
    for (const { index, key } of taken) {
      index.claims.set(key, { transaction: this, idKey });
      this.claims.push({ index, key });
    }
  }

  /** Keeps a version that another transaction is about to replace. */
  keep(collection: Collection, idKey: string, document: StoredDocument | null): void {
    const overlay = this.overlay(collection);
    if (!overlay.versions.has(idKey)) overlay.set(idKey, document && { ...document }, false);
  }

  /** Releases all documents and unique keys. */
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

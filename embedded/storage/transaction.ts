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

  keep(collection: Collection, idKey: string, document: StoredDocument | null): void {
    const overlay = this.overlay(collection);
    if (!overlay.versions.has(idKey)) overlay.set(idKey, document && { ...document }, false);
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

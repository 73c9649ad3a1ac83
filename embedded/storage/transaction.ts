import type { Collection } from "./collection";
import type { CollectionIndex } from "./collection-index";
import { SortedList } from "./sorted-list";
import type { StoredDocument } from "./stored-document";

interface Version {
  /** The document as this transaction sees it; null when it does not exist for it. */
  readonly document: StoredDocument | null;
  /** Written by this transaction, rather than kept because another one changed the document since. */
  readonly isOwn: boolean;
}

/** What a transaction sees differently from the committed state of one collection. */
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

  /** The entries of this overlay's documents in an index; built when first asked for, then kept up. */
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
 * A multi-document transaction with snapshot isolation. Its writes stay in overlays until it commits. When others
 * commit, the versions they replace are put into its overlays, so that it goes on seeing the state it started from.
 * Whoever writes a document first holds it until the end; a second transaction that wants it gets a write conflict.
 */
export class Transaction {
  readonly overlays = new Map<Collection, Overlay>();
  readonly claims: { index: CollectionIndex; key: string }[] = [];
  readonly locks: { collection: Collection; idKey: string }[] = [];
  /** Settles when the transaction has ended either way; writers outside transactions wait for it. */
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

  /** Notes a write, and holds the document and the unique keys it takes until the end. */
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

  /** Keeps the version that another one is about to replace. */
  keep(collection: Collection, idKey: string, document: StoredDocument | null): void {
    const overlay = this.overlay(collection);
    if (!overlay.versions.has(idKey)) overlay.set(idKey, document && { ...document }, false);
  }

  /** Gives up all documents and unique keys it holds. */
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

/** A write outside a transaction needs something that an open transaction holds: it waits and is tried again. */
export class Blocked extends Error {
  constructor(readonly transaction: Transaction) {
    super("an open transaction holds the document");
  }
}

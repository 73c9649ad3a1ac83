import { writeConflict } from "../errors";
import { pickFields } from "../values/bson-bytes";
import { CollectionIndex, type KeyChange } from "./collection-index";
import type { StoredDocument } from "./stored-document";
import { Blocked, type Overlay, type Transaction } from "./transaction";

export class Collection {
  readonly documents = new Map<string, StoredDocument>();
  readonly indexes = new Map<string, CollectionIndex>();
  readonly locks = new Map<string, Transaction>();
  readonly namespace: string;
  #nextOrder = 1;
  #isOrderLost = false;

  constructor(
    readonly number: number,
    readonly database: string,
    readonly name: string,
  ) {
    this.namespace = `${database}.${name}`;
    this.indexes.set("_id_", new CollectionIndex({ v: 2, key: { _id: 1 }, name: "_id_" }));
  }

  allotOrder(): number {
    return this.#nextOrder++;
  }

  find(idKey: string, transaction: Transaction | null): StoredDocument | null {
    const version = transaction?.overlays.get(this)?.versions.get(idKey);
    return version ? version.document : (this.documents.get(idKey) ?? null);
  }

  /** All documents in natural order. Those that the transaction sees differently come last. */
  *scan(transaction: Transaction | null): Generator<StoredDocument> {
    const overlay = transaction?.overlays.get(this);
    for (const document of this.documents.values()) if (!overlay?.versions.has(document.idKey)) yield document;
    for (const { document } of overlay?.versions.values() ?? []) if (document) yield document;
  }

  *range(
    index: CollectionIndex,
    [low, high]: readonly [low: string, high: string],
    isReverse: boolean,
    transaction: Transaction | null,
  ): Generator<StoredDocument> {
    const overlay = transaction?.overlays.get(this);
    const walk = (list: CollectionIndex["list"]) =>
      isReverse ? list.descending(low, high) : list.ascending(low, high);
    if (overlay === undefined || overlay.versions.size === 0) {
      for (const [, document] of walk(index.list)) yield document;
      return;
    }
    const committed = withoutOverlaid(walk(index.list), overlay);
    const own = walk(overlay.listFor(index));
    let left = committed.next();
    let right = own.next();
    while (!left.done || !right.done) {
      const takeLeft = right.done || (!left.done && comesFirst(left.value, right.value, isReverse));
      if (takeLeft && !left.done) {
        yield left.value[1];
        left = committed.next();
      } else if (!right.done) {
        yield right.value[1];
        right = own.next();
      }
    }
  }

  /** Checks that a document may be written. Throws a write conflict inside a transaction, Blocked outside. */
  requireFree(idKey: string, transaction: Transaction | null): void {
    const holder = this.locks.get(idKey);
    if (holder !== undefined && holder !== transaction) {
      if (transaction) throw writeConflict();
      throw new Blocked(holder);
    }
    const version = transaction?.overlays.get(this)?.versions.get(idKey);
    if (version?.written === null) throw writeConflict();
  }

  /** The index changes of a write, without `_id`. Throws if an index cannot contain the new bytes. */
  keyChanges(before: Buffer | null, after: Buffer | null): KeyChange[] {
    const indexes = [...this.indexes.values()].filter((index) => !index.isIdIndex);
    if (indexes.length === 0) return [];
    // Read once for all indexes: reading a document's fields costs more than building keys.
    const names = new Set(indexes.flatMap(({ roots }) => [...roots]));
    const [old, next] = [before, after].map((bytes) => bytes && pickFields(bytes, names));
    return indexes.map((index) => ({
      index,
      oldKeys: old ? index.keysIn(old) : [],
      newKeys: next ? index.keysIn(next) : [],
    }));
  }

  /** Whether no index was created or dropped since these changes were computed. */
  areOfAllIndexes(changes: readonly KeyChange[]): boolean {
    const isCurrent = ({ index }: KeyChange) => this.indexes.get(index.name) === index;
    return changes.length === this.indexes.size - 1 && changes.every(isCurrent);
  }

  /** `changes`: the result of `keyChanges`. Returns a function that restores the previous state. */
  put(idKey: string, next: StoredDocument | null, changes: readonly KeyChange[]): () => void {
    const current = this.documents.get(idKey) ?? null;
    const before = current && { ...current };
    const document = current ?? next;
    if (document === null) return () => undefined;
    for (const change of changes) change.index.move(document, change);
    const idIndex = this.indexes.get("_id_");
    if (current === null) idIndex?.list.insert(idKey, document);
    else if (next === null) idIndex?.list.remove(idKey, document);
    if (next === null) this.documents.delete(idKey);
    else if (current) current.bytes = next.bytes;
    else this.documents.set(idKey, next);
    return () => {
      this.put(
        idKey,
        before,
        changes.map(({ index, oldKeys, newKeys }) => ({ index, oldKeys: newKeys, newKeys: oldKeys })),
      );
      this.#isOrderLost ||= next === null;
    };
  }

  restoreOrder(): void {
    if (!this.#isOrderLost) return;
    const inOrder = [...this.documents.values()].sort((a, b) => a.order - b.order);
    this.documents.clear();
    for (const document of inOrder) this.documents.set(document.idKey, document);
    this.#isOrderLost = false;
  }

  /** Returns the newly taken keys. Throws if another document has one of them, or is about to. */
  requireUnique(
    idKey: string,
    after: Buffer,
    changes: readonly KeyChange[],
    transaction: Transaction | null,
  ): { index: CollectionIndex; key: string }[] {
    return changes
      .filter(({ index }) => index.isUnique)
      .flatMap(({ index, oldKeys, newKeys }) =>
        newKeys
          .filter((key) => !oldKeys.includes(key))
          .map((key) => {
            this.#requireKeyFree(index, key, idKey, after, transaction);
            return { index, key };
          }),
      );
  }

  #requireKeyFree(
    index: CollectionIndex,
    key: string,
    idKey: string,
    after: Buffer,
    transaction: Transaction | null,
  ): void {
    const claim = index.claims.get(key);
    if (claim && claim.transaction !== transaction) {
      if (transaction) throw writeConflict();
      throw new Blocked(claim.transaction);
    }
    const overlay = transaction?.overlays.get(this);
    for (const [, holder] of index.list.ascending(key, `${key}\0`)) {
      if (holder.idKey === idKey) continue;
      this.requireFree(holder.idKey, transaction);
      if (!overlay?.versions.get(holder.idKey)?.written) throw index.duplicateKey(this.namespace, after);
    }
    if (overlay === undefined) return;
    for (const [, holder] of overlay.listFor(index).ascending(key, `${key}\0`)) {
      if (holder.idKey === idKey) continue;
      // The key was taken in the snapshot and is free now, so the two transactions have no order.
      if (!overlay.versions.get(holder.idKey)?.written) throw writeConflict();
      throw index.duplicateKey(this.namespace, after);
    }
  }
}

type Entry = [key: string, document: StoredDocument];

function comesFirst([leftKey, left]: Entry, [rightKey, right]: Entry, isReverse: boolean): boolean {
  const isBefore = leftKey === rightKey ? left.order < right.order : leftKey < rightKey;
  return isBefore !== isReverse;
}

function* withoutOverlaid(entries: Iterable<Entry>, overlay: Overlay): Generator<Entry, undefined> {
  for (const entry of entries) if (!overlay.versions.has(entry[1].idKey)) yield entry;
  return undefined;
}

import { setImmediate as nextEvent } from "node:timers/promises";
import { DatabaseError, noSuchTransaction } from "../errors";
import { decodeDoc, encodeDoc, idOf } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import type { Doc } from "../values/values";
import { Catalog, requireNamespace } from "./catalog";
import type { Collection } from "./collection";
import { CollectionIndex, type KeyChange } from "./collection-index";
import { dumpEntries, entryHeader, entryKind, readEntries, replayDocument } from "./log-entries";
import { StorageLog, type Undo } from "./storage-log";
import type { StoredDocument } from "./stored-document";
import { Transaction } from "./transaction";

export interface EngineOptions {
  /** Size of the log at which a running database writes a snapshot, if the log is also larger than the last snapshot. */
  readonly compactionBytes?: number;
  readonly report?: (line: string) => void;
}

/**
 * Changes are only collected: callers must `commit` them, as one atomic, durable frame, before they next await
 * anything. Memory is ahead of the disk during a write. If that fails, it is rolled back to what is on disk, and writes
 * are refused until the disk accepts them again.
 */
export class Engine {
  readonly #catalog = new Catalog();
  readonly collections: ReadonlyMap<string, Collection> = this.#catalog.collections;
  readonly #transactions = new Set<Transaction>();
  readonly #log: StorageLog;
  readonly #compactionBytes: number;
  readonly #report: (line: string) => void;
  #noted: Buffer[] = [];
  #deferred = 0;
  #undo: Undo[] = [];
  #rollBacks = 0;

  constructor(folder: string, options: EngineOptions = {}) {
    this.#report = options.report ?? (() => undefined);
    this.#compactionBytes = options.compactionBytes ?? 16 * 1024 * 1024;
    this.#log = new StorageLog(folder, this.#report, (lost) => this.#rollBack(lost));
  }

  async open(): Promise<void> {
    await this.#log.open((payload) => this.#replay(payload));
    for (const { indexes, documents, namespace } of this.collections.values()) {
      for (const index of indexes.values()) index.build(documents.values(), namespace);
    }
    if (this.#log.hasOldFiles) await this.compact();
  }

  findOrCreate(database: string, name: string): Collection {
    return this.collections.get(`${database}.${name}`) ?? this.create(database, name);
  }

  create(database: string, name: string): Collection {
    requireNamespace(database, name);
    const number = this.#catalog.nextNumber;
    this.#change({ op: "create", number, database, name });
    return this.#catalog.numbered(number);
  }

  drop(collection: Collection): void {
    this.#change({ op: "drop", number: collection.number });
  }

  createIndex(collection: Collection, spec: Doc): void {
    const index = new CollectionIndex(spec);
    index.build(collection.documents.values(), collection.namespace);
    this.#change({ op: "createIndex", number: collection.number, spec }, index);
  }

  #change(entry: Doc, index?: CollectionIndex): void {
    this.#requireLog();
    const undo = this.#catalog.undoOf(entry);
    this.#catalog.apply(entry, index);
    this.#note(entryKind.structure, 0, encodeDoc(entry), undo);
  }

  writersOf(collection: Collection): Transaction[] {
    return [...this.#transactions].filter(({ locks }) => locks.some((lock) => lock.collection === collection));
  }

  insert(collection: Collection, id: unknown, bytes: Buffer, transaction: Transaction | null): void {
    const idKey = encodeValue(id);
    collection.requireFree(idKey, transaction);
    const idIndex = collection.indexes.get("_id_");
    if (collection.find(idKey, transaction)) throw idIndex?.duplicateKey(collection.namespace, bytes) ?? new Error();
    this.#write(collection, idKey, null, bytes, transaction);
  }

  update(collection: Collection, document: StoredDocument, bytes: Buffer, transaction: Transaction | null): void {
    collection.requireFree(document.idKey, transaction);
    this.#write(collection, document.idKey, document.bytes, bytes, transaction);
  }

  remove(collection: Collection, document: StoredDocument, transaction: Transaction | null): void {
    collection.requireFree(document.idKey, transaction);
    this.#write(collection, document.idKey, document.bytes, null, transaction);
  }

  #write(
    collection: Collection,
    idKey: string,
    before: Buffer | null,
    after: Buffer | null,
    transaction: Transaction | null,
  ): void {
    this.#requireLog();
    // Locks of an ended transaction would be held forever.
    if (transaction?.isOver) throw noSuchTransaction("The transaction has been aborted.");
    if (!this.#catalog.holds(collection)) {
      throw new DatabaseError(175, `collection dropped meanwhile: ${collection.namespace}`);
    }
    const changes = collection.keyChanges(before, after);
    const taken = after ? collection.requireUnique(idKey, after, changes, transaction) : [];
    const order = after ? (collection.documents.get(idKey)?.order ?? collection.allotOrder()) : 0;
    const document = after && { idKey, order, bytes: after };
    if (transaction === null) {
      this.#apply(collection, idKey, document, changes, null);
      return;
    }
    transaction.write(collection, idKey, document, { taken, changes, before });
  }

  /** Applies a change to the committed state. Open transactions keep the replaced version. */
  #apply(
    collection: Collection,
    idKey: string,
    next: StoredDocument | null,
    changes: readonly KeyChange[],
    by: Transaction | null,
  ): void {
    const current = collection.documents.get(idKey) ?? null;
    for (const transaction of this.#transactions) {
      if (transaction !== by) transaction.keep(collection, idKey, current);
    }
    const document = current ?? next;
    if (document === null) return;
    const undo = collection.put(idKey, next, changes);
    if (next) this.#note(entryKind.put, collection.number, next.bytes, undo);
    else this.#note(entryKind.remove, collection.number, encodeDoc(idOf(document.bytes)), undo);
  }

  begin(): Transaction {
    const transaction = new Transaction();
    this.#transactions.add(transaction);
    return transaction;
  }

  /** Applies a transaction's writes; call `commit` at once. Throws while writes are refused. */
  apply(transaction: Transaction): void {
    if (!transaction.isReading) this.#requireLog();
    this.#transactions.delete(transaction);
    for (const [collection, overlay] of transaction.overlays) {
      if (!this.#catalog.holds(collection)) continue; // dropped in the meantime
      for (const [idKey, { document, written }] of overlay.versions) {
        if (written === null) continue;
        const before = collection.documents.get(idKey)?.bytes ?? null;
        const isKnown = before === written.before && collection.areOfAllIndexes(written.changes);
        const changes = isKnown ? written.changes : collection.keyChanges(before, document?.bytes ?? null);
        this.#apply(collection, idKey, document, changes, transaction);
      }
    }
    transaction.release();
  }

  abort(transaction: Transaction): void {
    this.#transactions.delete(transaction);
    transaction.release();
  }

  #note(kind: number, number: number, bytes: Buffer, undo: Undo): void {
    this.#noted.push(entryHeader(kind, number), bytes);
    this.#undo.push(undo);
  }

  /** Throws while the disk accepts no writes, because memory must not get ahead of it. */
  #requireLog(): void {
    if (this.#log.failure) throw this.#log.failure;
  }

  async requireWritable(): Promise<void> {
    if (this.#log.failure && !(await this.#log.recover())) this.#requireLog();
  }

  /** Resolves when all changes are on disk; rejects if undone. `open`: waits only for changes outside of it. */
  async commit(open: Transaction | null = null): Promise<void> {
    if (this.#noted.length === this.#deferred) return open === null ? this.#log.settled() : undefined;
    const payload = Buffer.concat(this.#noted);
    const undo = this.#undo;
    [this.#noted, this.#undo, this.#deferred] = [[], [], 0];
    await this.#log.append(payload, undo);
    if (this.#log.isWorthCompacting(this.#compactionBytes)) void this.compact();
  }

  /** Runs a synchronous step whose changes go to disk with the next commit of others, which they never delay. */
  defer<T>(step: () => T): T {
    const before = this.#noted.length;
    try {
      return step();
    } finally {
      this.#deferred += this.#noted.length - before;
    }
  }

  /** Whether the current state of memory reaches the disk: false if it was rolled back in the meantime. */
  async isKept(): Promise<boolean> {
    if (this.#isOnDisk) return true;
    const before = this.#rollBacks;
    // The caller that made a change commits it before the next event.
    if (this.#noted.length > this.#deferred) await nextEvent();
    await this.#log.settled().catch(() => undefined);
    return before === this.#rollBacks;
  }

  get #isOnDisk(): boolean {
    return this.#noted.length === this.#deferred && this.#log.isSettled;
  }

  /** Rolls memory back to what is on disk. Aborts open transactions, which may have seen more than that. */
  #rollBack(lost: readonly Undo[]): void {
    for (const undo of [...lost, ...this.#undo].toReversed()) undo();
    [this.#noted, this.#undo, this.#deferred] = [[], [], 0];
    this.#rollBacks++;
    for (const transaction of [...this.#transactions]) this.abort(transaction);
    for (const collection of this.collections.values()) collection.restoreOrder();
  }

  async compact(): Promise<void> {
    try {
      await this.#log.compact(() => (this.#isOnDisk ? dumpEntries(this.collections.values()) : null));
    } catch (error) {
      this.#report(`compaction failed, the log goes on growing: ${String(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.isKept();
    if (this.#log.isWorthCompacting(64 * 1024)) await this.compact();
    await this.#log.close();
  }

  #replay(payload: Buffer): void {
    for (const { kind, number, bytes } of readEntries(payload)) {
      if (kind === entryKind.structure) this.#catalog.apply(decodeDoc(bytes));
      else replayDocument(this.#catalog.numbered(number), kind, bytes);
    }
  }
}

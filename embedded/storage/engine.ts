import { setImmediate as nextEvent } from "node:timers/promises";
import { DatabaseError, namespaceNotFound, noSuchTransaction } from "../errors";
import { decodeDoc, encodeDoc, pickFields } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import { isDoc, toNumber, type Doc } from "../values/values";
import { Collection } from "./collection";
import { CollectionIndex, type KeyChange } from "./collection-index";
import { StorageLog, type Undo } from "./storage-log";
import { type StoredDocument } from "./stored-document";
import { Transaction } from "./transaction";

const idField: ReadonlySet<string> = new Set(["_id"]);

/** The entries of a log frame: what happened to a document, or to a collection and its indexes. */
const entryKind = { put: 1, remove: 2, structure: 3 } as const;

export interface EngineOptions {
  /** A running database writes a snapshot when the log is larger than this and than the last snapshot. */
  readonly compactionBytes?: number;
  readonly report?: (line: string) => void;
}

/**
 * All collections in memory, with their log. Every method that changes something only notes it; `commit` makes all
 * that was noted one atomic, durable frame. Callers must call `commit` before they next wait for anything.
 *
 * Memory is ahead of the disk while a frame is being written. When that fails, memory goes back to what is on disk, and
 * nothing can be changed until the disk takes writes again.
 */
export class Engine {
  readonly collections = new Map<string, Collection>();
  readonly #byNumber = new Map<number, Collection>();
  readonly #transactions = new Set<Transaction>();
  readonly #log: StorageLog;
  readonly #compactionBytes: number;
  readonly #report: (line: string) => void;
  #noted: Buffer[] = [];
  /** What takes back what was noted. */
  #undo: Undo[] = [];
  #rollBacks = 0;
  #nextNumber = 1;

  constructor(folder: string, options: EngineOptions = {}) {
    this.#report = options.report ?? (() => undefined);
    this.#compactionBytes = options.compactionBytes ?? 16 * 1024 * 1024;
    this.#log = new StorageLog(folder, this.#report, (lost) => this.#rollBack(lost));
  }

  async open(): Promise<void> {
    await this.#log.open((payload) => this.#replay(payload));
    for (const collection of this.collections.values()) {
      for (const index of collection.indexes.values()) {
        index.build(collection.documents.values(), collection.namespace);
      }
    }
  }

  // ---- collections and indexes

  require(namespace: string): Collection {
    const collection = this.collections.get(namespace);
    if (collection === undefined) throw namespaceNotFound(`ns does not exist: ${namespace}`);
    return collection;
  }

  findOrCreate(database: string, name: string): Collection {
    return this.collections.get(`${database}.${name}`) ?? this.create(database, name);
  }

  create(database: string, name: string): Collection {
    const namespace = `${database}.${name}`;
    if (!/^[^/\\. "$*<>:|?\0]{1,63}$/.test(database) || name === "" || /^system\.|\0|\$/.test(name)) {
      throw new DatabaseError(73, `Invalid namespace specified '${namespace}'`);
    }
    this.#change({ op: "create", number: this.#nextNumber, database, name });
    return this.require(namespace);
  }

  drop(collection: Collection): void {
    this.#change({ op: "drop", number: collection.number });
  }

  createIndex(collection: Collection, spec: Doc): void {
    const index = new CollectionIndex(spec);
    index.build(collection.documents.values(), collection.namespace);
    this.#change({ op: "createIndex", number: collection.number, spec }, index);
  }

  dropIndex(collection: Collection, name: string): void {
    this.#change({ op: "dropIndex", number: collection.number, name });
  }

  /** Changes collections or indexes and notes it for the log. */
  #change(entry: Doc, index?: CollectionIndex): void {
    this.#requireLog();
    const undo = this.#undoOfStructure(entry);
    this.#applyStructure(entry, index);
    this.#note(entryKind.structure, 0, encodeDoc(entry), undo);
  }

  #undoOfStructure(entry: Doc): Undo {
    const number = toNumber(entry.number);
    if (entry.op === "create") return () => this.#forget(this.#numbered(number));
    const collection = this.#numbered(number);
    if (entry.op === "drop") {
      return () => {
        this.collections.set(collection.namespace, collection);
        this.#byNumber.set(number, collection);
      };
    }
    const indexes = [...collection.indexes];
    return () => {
      collection.indexes.clear();
      for (const [name, index] of indexes) collection.indexes.set(name, index);
    };
  }

  #forget(collection: Collection): void {
    this.collections.delete(collection.namespace);
    this.#byNumber.delete(collection.number);
  }

  #applyStructure(entry: Doc, index?: CollectionIndex): void {
    const number = toNumber(entry.number);
    if (entry.op === "create") {
      const created = new Collection(number, String(entry.database), String(entry.name));
      this.collections.set(created.namespace, created);
      this.#byNumber.set(number, created);
      this.#nextNumber = Math.max(this.#nextNumber, number + 1);
      return;
    }
    const collection = this.#numbered(number);
    if (entry.op === "drop") this.#forget(collection);
    else if (entry.op === "dropIndex") collection.indexes.delete(String(entry.name));
    else if (isDoc(entry.spec)) {
      const created = index ?? new CollectionIndex(entry.spec);
      collection.indexes.set(created.name, created);
    }
  }

  #numbered(number: number): Collection {
    const collection = this.#byNumber.get(number);
    if (collection === undefined) throw new Error("it names a collection that does not exist");
    return collection;
  }

  /** Open transactions that have written to a collection. */
  writersOf(collection: Collection): Transaction[] {
    return [...this.#transactions].filter((transaction) =>
      transaction.locks.some((lock) => lock.collection === collection),
    );
  }

  // ---- documents

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
    // Locks that an ended transaction takes would be held for ever.
    if (transaction?.isOver) throw noSuchTransaction("The transaction has been aborted.");
    if (this.#byNumber.get(collection.number) !== collection) {
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
    transaction.overlay(collection).set(idKey, document, true);
    if (collection.locks.get(idKey) !== transaction) {
      collection.locks.set(idKey, transaction);
      transaction.locks.push({ collection, idKey });
    }
    for (const { index, key } of taken) {
      index.claims.set(key, { transaction, idKey });
      transaction.claims.push({ index, key });
    }
  }

  /** Makes a change part of the committed state; open transactions keep the version it replaces. */
  #apply(
    collection: Collection,
    idKey: string,
    next: StoredDocument | null,
    changes: readonly KeyChange[],
    by: Transaction | null,
  ): void {
    const current = collection.documents.get(idKey) ?? null;
    for (const transaction of this.#transactions) {
      if (transaction === by) continue;
      const overlay = transaction.overlay(collection);
      if (!overlay.versions.has(idKey)) overlay.set(idKey, current && { ...current }, false);
    }
    const document = current ?? next;
    if (document === null) return;
    const undo = collection.put(idKey, next, changes);
    if (next) this.#note(entryKind.put, collection.number, next.bytes, undo);
    else this.#note(entryKind.remove, collection.number, encodeDoc(pickFields(document.bytes, idField)), undo);
  }

  // ---- transactions

  begin(): Transaction {
    const transaction = new Transaction();
    this.#transactions.add(transaction);
    return transaction;
  }

  /** Applies a transaction's writes; `commit` must follow at once. Throws while nothing can be written. */
  apply(transaction: Transaction): void {
    if (!transaction.isReading) this.#requireLog();
    this.#transactions.delete(transaction);
    for (const [collection, overlay] of transaction.overlays) {
      if (this.#byNumber.get(collection.number) !== collection) continue; // dropped meanwhile
      for (const [idKey, { document, isOwn }] of overlay.versions) {
        if (!isOwn) continue;
        const before = collection.documents.get(idKey)?.bytes ?? null;
        const changes = collection.keyChanges(before, document?.bytes ?? null);
        this.#apply(collection, idKey, document, changes, transaction);
      }
    }
    transaction.release();
  }

  abort(transaction: Transaction): void {
    this.#transactions.delete(transaction);
    transaction.release();
  }

  // ---- log

  #note(kind: number, number: number, bytes: Buffer, undo: Undo): void {
    this.#noted.push(entryHeader(kind, number), bytes);
    this.#undo.push(undo);
  }

  /** Throws while the disk takes no writes: memory must not get ahead of it. */
  #requireLog(): void {
    if (this.#log.failure) throw this.#log.failure;
  }

  /** Waits for the answer whether the disk takes writes again, after it had not; throws when it does not. */
  async requireWritable(): Promise<void> {
    if (this.#log.failure && !(await this.#log.recover())) this.#requireLog();
  }

  /**
   * Resolves when all that was noted is on disk, and all before it; rejects when it is not, and has been taken back.
   */
  async commit(): Promise<void> {
    if (this.#noted.length === 0) return this.#log.settled();
    const payload = Buffer.concat(this.#noted);
    const undo = this.#undo;
    this.#noted = [];
    this.#undo = [];
    await this.#log.append(payload, undo);
    if (this.#log.isWorthCompacting(this.#compactionBytes)) void this.compact();
  }

  /** Whether what is in memory now stays: false when it has been taken back meanwhile, since the disk did not take it. */
  async isKept(): Promise<boolean> {
    if (this.#isOnDisk) return true;
    const before = this.#rollBacks;
    // Whoever has noted something commits it before the next event.
    if (this.#noted.length > 0) await nextEvent();
    await this.#log.settled().catch(() => undefined);
    return before === this.#rollBacks;
  }

  get #isOnDisk(): boolean {
    return this.#noted.length === 0 && this.#log.isSettled;
  }

  /** Puts memory back to what is on disk. Open transactions may have seen more than that: they end. */
  #rollBack(lost: readonly Undo[]): void {
    for (const undo of [...lost, ...this.#undo].toReversed()) undo();
    this.#noted = [];
    this.#undo = [];
    this.#rollBacks++;
    for (const transaction of [...this.#transactions]) this.abort(transaction);
    for (const collection of this.collections.values()) collection.restoreOrder();
  }

  async compact(): Promise<void> {
    try {
      await this.#log.compact(() => (this.#isOnDisk ? this.#dump() : null));
    } catch (error) {
      this.#report(`compaction failed, the log goes on growing: ${String(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.isKept();
    if (this.#log.isWorthCompacting(64 * 1024)) await this.compact();
    await this.#log.close();
  }

  /** The state as log entries. The list of versions is taken now, the entries are put together when asked for. */
  #dump(): Iterable<Buffer> {
    const state = [...this.collections.values()].map(({ number, database, name, indexes, documents }) => {
      const own = [...indexes.values()].filter((index) => !index.isIdIndex);
      const structure = [
        { op: "create", number, database, name },
        ...own.map(({ spec }) => ({ op: "createIndex", number, spec })),
      ];
      return { number, structure, versions: Array.from(documents.values(), ({ bytes }) => bytes) };
    });
    return (function* () {
      for (const { number, structure, versions } of state) {
        for (const entry of structure) yield Buffer.concat([entryHeader(entryKind.structure, 0), encodeDoc(entry)]);
        const header = entryHeader(entryKind.put, number);
        for (const bytes of versions) yield Buffer.concat([header, bytes]);
      }
    })();
  }

  #replay(payload: Buffer): void {
    for (let at = 0; at < payload.length;) {
      const kind = payload.readUInt8(at);
      const number = payload.readUInt32LE(at + 1);
      const bytes = payload.subarray(at + 5, at + 5 + payload.readInt32LE(at + 5));
      at += 5 + bytes.length;
      if (kind === entryKind.structure) this.#applyStructure(decodeDoc(bytes));
      else replayDocument(this.#numbered(number), kind, bytes);
    }
  }
}

function entryHeader(kind: number, number: number): Buffer {
  const header = Buffer.allocUnsafe(5);
  header.writeUInt8(kind, 0);
  header.writeUInt32LE(number, 1);
  return header;
}

/** Indexes are built once everything is read. */
function replayDocument(collection: Collection, kind: number, bytes: Buffer): void {
  const idKey = encodeValue(pickFields(bytes, idField)._id);
  if (kind === entryKind.remove) {
    collection.documents.delete(idKey);
    return;
  }
  // A copy of its own: a part of the file's buffer would keep all of it in memory.
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  const current = collection.documents.get(idKey);
  if (current) current.bytes = own;
  else collection.documents.set(idKey, { idKey, order: collection.allotOrder(), bytes: own });
}

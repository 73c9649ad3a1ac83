import { DatabaseError, namespaceNotFound } from "../errors";
import { decodeDoc, encodeDoc, pickFields } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import { toNumber, type Doc } from "../values/values";
import { Collection } from "./collection";
import { CollectionIndex, type KeyChange } from "./collection-index";
import { StorageLog } from "./storage-log";
import { type StoredDocument } from "./stored-document";
import { Transaction } from "./transaction";

const idField: ReadonlySet<string> = new Set(["_id"]);
const snapshotChunkBytes = 256 * 1024;

/** The entries of a log frame: what happened to a document, or to a collection and its indexes. */
const entryKind = { put: 1, remove: 2, structure: 3 } as const;

export interface EngineOptions {
  /** A running database writes a snapshot when the log is larger than this and than the last snapshot. */
  readonly compactionBytes?: number;
  readonly report?: (line: string) => void;
}

/**
 * All collections in memory, with their log. Every method that changes something only notes it; `commit` makes all
 * that was noted one atomic, durable frame. Callers must call `commit` before they next give up control.
 */
export class Engine {
  readonly collections = new Map<string, Collection>();
  readonly #byNumber = new Map<number, Collection>();
  readonly #transactions = new Set<Transaction>();
  readonly #log: StorageLog;
  readonly #compactionBytes: number;
  readonly #report: (line: string) => void;
  #noted: Buffer[] = [];
  #nextNumber = 1;

  constructor(folder: string, options: EngineOptions = {}) {
    this.#report = options.report ?? (() => undefined);
    this.#compactionBytes = options.compactionBytes ?? 16 * 1024 * 1024;
    this.#log = new StorageLog(folder, this.#report);
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
    const collection = new Collection(this.#nextNumber, database, name);
    this.#register(collection);
    this.#noteStructure({ op: "create", number: collection.number, database, name });
    return collection;
  }

  drop(collection: Collection): void {
    this.collections.delete(collection.namespace);
    this.#byNumber.delete(collection.number);
    this.#noteStructure({ op: "drop", number: collection.number });
  }

  createIndex(collection: Collection, spec: Doc): void {
    const index = new CollectionIndex(spec);
    index.build(collection.documents.values(), collection.namespace);
    collection.indexes.set(index.name, index);
    this.#noteStructure({ op: "createIndex", number: collection.number, spec });
  }

  dropIndex(collection: Collection, name: string): void {
    collection.indexes.delete(name);
    this.#noteStructure({ op: "dropIndex", number: collection.number, name });
  }

  #register(collection: Collection): void {
    this.collections.set(collection.namespace, collection);
    this.#byNumber.set(collection.number, collection);
    this.#nextNumber = Math.max(this.#nextNumber, collection.number + 1);
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
    for (const change of changes) change.index.move(document, change);
    const idIndex = collection.indexes.get("_id_");
    if (current === null) idIndex?.list.insert(idKey, document);
    else if (next === null) idIndex?.list.remove(idKey, document);
    if (next === null) {
      collection.documents.delete(idKey);
      if (current) this.#note(entryKind.remove, collection.number, encodeDoc(pickFields(current.bytes, idField)));
      return;
    }
    if (current) current.bytes = next.bytes;
    else collection.documents.set(idKey, next);
    this.#note(entryKind.put, collection.number, next.bytes);
  }

  // ---- transactions

  begin(): Transaction {
    const transaction = new Transaction();
    this.#transactions.add(transaction);
    return transaction;
  }

  /** Applies a transaction's writes; `commit` must follow at once. */
  apply(transaction: Transaction): void {
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

  #note(kind: number, number: number, bytes: Buffer): void {
    this.#noted.push(entryHeader(kind, number), bytes);
  }

  #noteStructure(entry: Doc): void {
    this.#note(entryKind.structure, 0, encodeDoc(entry));
  }

  /** Resolves when all that was noted is on disk; also when nothing was, once earlier commits are. */
  async commit(): Promise<void> {
    if (this.#noted.length === 0) return;
    const payload = Buffer.concat(this.#noted);
    this.#noted = [];
    await this.#log.append(payload);
    if (this.#log.isWorthCompacting(this.#compactionBytes)) void this.compact();
  }

  settled(): Promise<void> {
    return this.#log.settled();
  }

  async compact(): Promise<void> {
    try {
      await this.#log.compact(() => this.#dump());
    } catch (error) {
      this.#report(`compaction failed, the log goes on growing: ${String(error)}`);
    }
  }

  async close(): Promise<void> {
    await this.#log.settled();
    if (this.#log.isWorthCompacting(64 * 1024)) await this.compact();
    await this.#log.close();
  }

  /** The state as snapshot payloads. The list of versions is taken now, the payloads are put together when asked for. */
  #dump(): Iterable<Buffer> {
    const state = [...this.collections.values()].map(({ number, database, name, indexes, documents }) => ({
      number,
      structure: [
        encodeDoc({ op: "create", number, database, name }),
        ...[...indexes.values()]
          .filter((index) => !index.isIdIndex)
          .map(({ spec }) => encodeDoc({ op: "createIndex", number, spec })),
      ],
      versions: Array.from(documents.values(), ({ bytes }) => bytes),
    }));
    return (function* () {
      for (const { number, structure, versions } of state) {
        yield Buffer.concat(structure.flatMap((bytes) => [entryHeader(entryKind.structure, 0), bytes]));
        const header = entryHeader(entryKind.put, number);
        let chunk: Buffer[] = [];
        let chunkBytes = 0;
        for (const bytes of versions) {
          chunk.push(header, bytes);
          chunkBytes += header.length + bytes.length;
          if (chunkBytes < snapshotChunkBytes) continue;
          yield Buffer.concat(chunk);
          chunk = [];
          chunkBytes = 0;
        }
        if (chunk.length > 0) yield Buffer.concat(chunk);
      }
    })();
  }

  #replay(payload: Buffer): void {
    for (let at = 0; at < payload.length;) {
      const kind = payload.readUInt8(at);
      const collection = this.#byNumber.get(payload.readUInt32LE(at + 1));
      const bytes = payload.subarray(at + 5, at + 5 + payload.readInt32LE(at + 5));
      at += 5 + bytes.length;
      if (kind === entryKind.structure) this.#replayStructure(decodeDoc(bytes));
      else if (collection === undefined) throw new Error("it names a collection that does not exist");
      else replayDocument(collection, kind, bytes);
    }
  }

  #replayStructure(entry: Doc): void {
    const number = toNumber(entry.number);
    if (entry.op === "create") {
      this.#register(new Collection(number, String(entry.database), String(entry.name)));
      return;
    }
    const collection = this.#byNumber.get(number);
    if (collection === undefined) throw new Error("it names a collection that does not exist");
    if (entry.op === "drop") {
      this.collections.delete(collection.namespace);
      this.#byNumber.delete(number);
    } else if (entry.op === "dropIndex") collection.indexes.delete(String(entry.name));
    else {
      const index = new CollectionIndex(entry.spec as Doc);
      collection.indexes.set(index.name, index);
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

import { encodeDoc, idOf } from "../values/bson-bytes";
import { encodeValue } from "../values/key-encoding";
import type { Collection } from "./collection";

export const entryKind = { put: 1, remove: 2, structure: 3 } as const;

interface LogEntry {
  readonly kind: number;
  readonly number: number;
  readonly bytes: Buffer;
}

export function entryHeader(kind: number, number: number): Buffer {
  const header = Buffer.allocUnsafe(5);
  header.writeUInt8(kind, 0);
  header.writeUInt32LE(number, 1);
  return header;
}

export function* readEntries(payload: Buffer): Generator<LogEntry> {
  for (let at = 0; at < payload.length;) {
    const kind = payload.readUInt8(at);
    const number = payload.readUInt32LE(at + 1);
    const bytes = payload.subarray(at + 5, at + 5 + payload.readInt32LE(at + 5));
    at += 5 + bytes.length;
    yield { kind, number, bytes };
  }
}

/** Applies an entry about a document. Indexes are built after everything is read. */
export function replayDocument(collection: Collection, kind: number, bytes: Buffer): void {
  const idKey = encodeValue(idOf(bytes)._id);
  if (kind === entryKind.remove) {
    collection.documents.delete(idKey);
    return;
  }
  // A copy, because a slice would keep the file's whole buffer in memory.
  const own = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(own);
  const current = collection.documents.get(idKey);
  if (current) current.bytes = own;
  else collection.documents.set(idKey, { idKey, order: collection.allotOrder(), bytes: own });
}

/** The whole state as log entries. Collects the current versions at once, and builds the entries on demand. */
export function dumpEntries(collections: Iterable<Collection>): Iterable<Buffer> {
  const state = [...collections].map(({ number, database, name, indexes, documents }) => {
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

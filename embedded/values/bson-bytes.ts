import { deserialize, ObjectId, serialize, setInternalBufferSize } from "bson";
import { DatabaseError } from "../errors";
import { findElements } from "./find-elements";
import type { Doc } from "./values";

// Documents are stored and sent as the BSON bytes they arrived in, so this file reads and combines bytes undecoded.

export const maxDocumentBytes = 16 * 1024 * 1024;
setInternalBufferSize(maxDocumentBytes + 64 * 1024);

export const decodeDoc = (bytes: Uint8Array): Doc =>
  deserialize(bytes, { promoteValues: false, bsonRegExp: true, allowObjectSmallerThanBufferSize: false });

/** Decodes a command. The documents of an insert stay bytes, to be stored unchanged. */
export function decodeCommand(bytes: Buffer): Doc {
  const name = bytes.toString("latin1", 5, bytes.indexOf(0, 5));
  // The driver's option applies to the name at every depth, so it must not be set for other commands.
  const raw = name === "insert" ? { fieldsAsRaw: { documents: true } } : {};
  return deserialize(bytes, { promoteValues: false, bsonRegExp: true, ...raw });
}

export function encodeDoc(doc: Doc): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

export function pickFields(bytes: Buffer, names: ReadonlySet<string> | null): Doc {
  return decodeDoc(names === null ? bytes : pickBytes(bytes, names));
}

/** A document of the given top fields, undecoded. */
export function pickBytes(bytes: Buffer, names: ReadonlySet<string>): Buffer {
  return wrapElements(findElements(bytes, names));
}

/** The document without the given top fields. */
export function omitBytes(bytes: Buffer, names: ReadonlySet<string>): Buffer {
  return wrapElements(findElements(bytes, names, true));
}

function wrapElements(parts: readonly Uint8Array[]): Buffer {
  const size = parts.reduce((sum, part) => sum + part.length, 5);
  const bytes = Buffer.allocUnsafeSlow(size);
  let at = bytes.writeInt32LE(size, 0);
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  bytes[at] = 0;
  return bytes;
}

const idField: ReadonlySet<string> = new Set(["_id"]);

export const idOf = (bytes: Buffer): Doc => pickFields(bytes, idField);

/** Copies a document for storage, with `_id` first, as in MongoDB. Adds a missing `_id`. */
export function toStoredDocument(bytes: Buffer): { bytes: Buffer; id: unknown } {
  if (bytes.length > maxDocumentBytes) throw tooLarge(bytes.length);
  const [found, ...more] = findElements(bytes, idField);
  const idElement = found ?? encodeDoc({ _id: new ObjectId() }).subarray(4, -1);
  const { _id: id } = decodeDoc(wrapElements([idElement]));
  const isFirst = found?.byteOffset === bytes.byteOffset + 4 && more.length === 0;
  if (!isFirst) return { bytes: wrapElements([idElement, ...findElements(bytes, idField, true)]), id };
  const own = Buffer.allocUnsafeSlow(bytes.length);
  own.set(bytes);
  return { bytes: own, id };
}

/** Refuses bytes that cannot be fully decoded: stored unchanged, they would break every reader. */
export function requireSound(bytes: Buffer): void {
  try {
    decodeDoc(bytes);
  } catch {
    throw new DatabaseError(22, "a document is damaged BSON");
  }
}

export const tooLarge = (size: number) =>
  new DatabaseError(10334, `BSONObj size: ${size} is invalid. Size must be between 0 and ${maxDocumentBytes}`);

export class Raw {
  constructor(
    readonly type: 3 | 4,
    readonly bytes: Uint8Array,
  ) {}

  toElement(name: string): Buffer {
    return Buffer.concat([Buffer.from([this.type]), Buffer.from(`${name}\0`), this.bytes]);
  }
}

export const rawDocument = (bytes: Uint8Array) => new Raw(3, bytes);

export const rawList = (documents: readonly Uint8Array[]) =>
  new Raw(4, wrapElements(documents.map((bytes, index) => rawDocument(bytes).toElement(String(index)))));

export function encodeReply(fields: Readonly<Record<string, unknown>>): Buffer {
  const entries = Object.entries(fields);
  const plain = entries.filter(([, value]) => !(value instanceof Raw));
  const raw = entries.flatMap(([name, value]) => (value instanceof Raw ? [value.toElement(name)] : []));
  return wrapElements([encodeDoc(Object.fromEntries(plain)).subarray(4, -1), ...raw]);
}

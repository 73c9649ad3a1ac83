import { deserialize, Double, Int32, Long, ObjectId, serialize, setInternalBufferSize } from "bson";
import { badValue, DatabaseError } from "../errors";
import { setOwn, type Doc } from "./values";

/*
 * Documents are stored and sent as the BSON bytes they arrived in. This module reads single fields out of such bytes
 * and puts bytes together without decoding what lies between.
 */

export const maxDocumentBytes = 16 * 1024 * 1024;
setInternalBufferSize(maxDocumentBytes + 64 * 1024);

/** Decodes with every number type kept; see `Doc`. */
export const decodeDoc = (bytes: Uint8Array): Doc =>
  deserialize(bytes, { promoteValues: false, bsonRegExp: true, allowObjectSmallerThanBufferSize: false });

/** Decodes with plain JavaScript numbers, as expressions need them. */
export const decodePlain = (bytes: Uint8Array): Doc => deserialize(bytes);

/** Decodes a command. The documents of an insert are left as bytes, to be stored as they came. */
export function decodeCommand(bytes: Buffer): Doc {
  const name = bytes.toString("latin1", 5, bytes.indexOf(0, 5));
  // The driver's option goes by name at every depth, so it must not be set for other commands.
  const raw = name === "insert" ? { fieldsAsRaw: { documents: true } } : {};
  return deserialize(bytes, { promoteValues: false, bsonRegExp: true, ...raw });
}

export function encodeDoc(doc: Doc): Buffer {
  const bytes = serialize(doc, { ignoreUndefined: true });
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}

interface Element {
  readonly type: number;
  readonly name: string;
  /** Offset of the type byte, of the value and of the next element. */
  readonly start: number;
  readonly value: number;
  readonly end: number;
}

const fixedSizes = new Map([
  [1, 8],
  [6, 0],
  [7, 12],
  [8, 1],
  [9, 8],
  [10, 0],
  [16, 4],
  [17, 8],
  [18, 8],
  [19, 16],
  [0xff, 0],
  [0x7f, 0],
]);

const damaged = () => badValue("a document holds bytes that are not BSON");

function sizeOf(type: number, bytes: Buffer, at: number): number {
  const fixed = fixedSizes.get(type);
  if (fixed !== undefined) return fixed;
  switch (type) {
    case 2:
    case 13:
    case 14:
      return 4 + bytes.readInt32LE(at);
    case 3:
    case 4:
    case 15:
      return bytes.readInt32LE(at);
    case 5:
      return 5 + bytes.readInt32LE(at);
    case 11:
      return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
    case 12:
      return 16 + bytes.readInt32LE(at);
    default:
      throw damaged();
  }
}

/** The top-level elements of a document, nothing decoded but their names. */
function* elementsOf(bytes: Buffer): Generator<Element> {
  let at = 4;
  while (at < bytes.length - 1) {
    const type = bytes.readUInt8(at);
    const nameEnd = bytes.indexOf(0, at + 1);
    const value = nameEnd + 1;
    const end = value + sizeOf(type, bytes, value);
    if (nameEnd < 0 || end <= at || end > bytes.length) throw damaged();
    yield { type, name: bytes.toString("utf8", at + 1, nameEnd), start: at, value, end };
    at = end;
  }
}

function decodeElement(bytes: Buffer, element: Element): unknown {
  const at = element.value;
  switch (element.type) {
    case 1:
      return new Double(bytes.readDoubleLE(at));
    case 2:
      return bytes.toString("utf8", at + 4, element.end - 1);
    case 3:
      return decodeDoc(bytes.subarray(at, element.end));
    case 7:
      return new ObjectId(Uint8Array.prototype.slice.call(bytes, at, element.end));
    case 8:
      return bytes[at] === 1;
    case 9:
      return new Date(Number(bytes.readBigInt64LE(at)));
    case 10:
      return null;
    case 16:
      return new Int32(bytes.readInt32LE(at));
    case 18:
      return Long.fromBigInt(bytes.readBigInt64LE(at));
    default:
      return decodeDoc(wrapElements([bytes.subarray(element.start, element.end)]))[element.name];
  }
}

/** Decodes only the named top-level fields; all of them when `names` is null. */
export function pickFields(bytes: Buffer, names: ReadonlySet<string> | null): Doc {
  if (names === null) return decodeDoc(bytes);
  const doc: Doc = {};
  let missing = names.size;
  if (missing === 0) return doc;
  for (const element of elementsOf(bytes)) {
    if (!names.has(element.name)) continue;
    setOwn(doc, element.name, decodeElement(bytes, element));
    if (--missing === 0) break;
  }
  return doc;
}

/** A document made of finished elements. */
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

/** A copy of a document to be stored, with `_id` in front as MongoDB keeps it, and added when there is none. */
export function toStoredDocument(bytes: Buffer): { bytes: Buffer; id: unknown } {
  if (bytes.length > maxDocumentBytes) throw tooLarge(bytes.length);
  if (bytes.length < 5 || bytes.readInt32LE(0) !== bytes.length || bytes[bytes.length - 1] !== 0) throw damaged();
  let idElement: Element | null = null;
  for (const element of elementsOf(bytes)) if (element.name === "_id") idElement = element;
  if (idElement === null) {
    const id = new ObjectId();
    return { bytes: wrapElements([encodeDoc({ _id: id }).subarray(4, -1), bytes.subarray(4, -1)]), id };
  }
  const { start, end } = idElement;
  const parts = [bytes.subarray(start, end), bytes.subarray(4, start), bytes.subarray(end, -1)];
  return { bytes: wrapElements(parts), id: decodeElement(bytes, idElement) };
}

export const tooLarge = (size: number) =>
  new DatabaseError(
    10334,
    "BSONObjectTooLarge",
    `BSONObj size: ${size} is invalid. Size must be between 0 and ${maxDocumentBytes}`,
  );

/** Document bytes that go into a reply as they are. */
export class RawDocument {
  constructor(readonly bytes: Buffer) {}
}

/** A list of document bytes that goes into a reply as an array. */
export class RawList {
  constructor(readonly documents: readonly Buffer[]) {}
}

/** A part of a reply that may hold raw documents. */
export class ReplyPart {
  constructor(readonly fields: Readonly<Record<string, unknown>>) {}
}

function rawElement(type: number, name: string, bytes: Uint8Array): Buffer {
  const nameBytes = Buffer.from(name);
  const element = Buffer.allocUnsafe(nameBytes.length + 2 + bytes.length);
  element[0] = type;
  nameBytes.copy(element, 1);
  element[nameBytes.length + 1] = 0;
  element.set(bytes, nameBytes.length + 2);
  return element;
}

/** Serialises a reply; RawDocument, RawList and ReplyPart may stand for any of its values. */
export function encodeReply(fields: Readonly<Record<string, unknown>>): Buffer {
  const parts: Uint8Array[] = [];
  let plain: Doc = {};
  const flush = () => {
    parts.push(Buffer.from(serialize(plain, { ignoreUndefined: true }).subarray(4, -1)));
    plain = {};
  };
  for (const [name, value] of Object.entries(fields)) {
    if (value instanceof RawDocument) {
      flush();
      parts.push(rawElement(3, name, value.bytes));
    } else if (value instanceof ReplyPart) {
      flush();
      parts.push(rawElement(3, name, encodeReply(value.fields)));
    } else if (value instanceof RawList) {
      flush();
      const elements = value.documents.map((bytes, index) => rawElement(3, String(index), bytes));
      parts.push(rawElement(4, name, wrapElements(elements)));
    } else setOwn(plain, name, value);
  }
  flush();
  return wrapElements(parts);
}

import { badValue } from "../errors";

export const damaged = () => badValue("a document holds bytes that are not BSON");

/** Encoded names, cached by their set, because one set is used for thousands of documents. */
const encodedNames = new WeakMap<ReadonlySet<string>, readonly Buffer[]>();

function namesAsBytes(names: ReadonlySet<string>): readonly Buffer[] {
  const known = encodedNames.get(names);
  if (known?.length === names.size) return known;
  const encoded = Array.from(names, (name) => Buffer.from(name));
  encodedNames.set(names, encoded);
  return encoded;
}

/**
 * The elements with these names, or with `areOthers` all the others. Runs for every document if no index fits a filter,
 * so it decodes and copies nothing else.
 */
export function findElements(bytes: Buffer, names: ReadonlySet<string>, areOthers = false): Buffer[] {
  const wanted = namesAsBytes(names);
  const found: Buffer[] = [];
  const end = bytes.length - 1;
  let at = 4;
  while (at < end) {
    let name = at + 1;
    while (bytes[name] !== 0) if (++name >= end) throw damaged();
    const next = name + 1 + valueLength(bytes, bytes[at] ?? 0, name + 1);
    if (next > end) throw damaged();
    if (isOneOf(wanted, bytes, at + 1, name) !== areOthers) found.push(bytes.subarray(at, next));
    at = next;
  }
  return found;
}

function isOneOf(names: readonly Buffer[], bytes: Buffer, from: number, to: number): boolean {
  for (const name of names) {
    if (name.length !== to - from) continue;
    let same = 0;
    while (same < name.length && name[same] === bytes[from + same]) same++;
    if (same === name.length) return true;
  }
  return false;
}

/** Length of a value in bytes, by type (bsonspec.org). */
function valueLength(bytes: Buffer, type: number, at: number): number {
  switch (type) {
    // Undefined, null, min key, max key.
    case 0x06:
    case 0x0a:
    case 0xff:
    case 0x7f:
      return 0;
    case 0x08:
      return 1;
    case 0x10:
      return 4;
    // Double, date, timestamp, long.
    case 0x01:
    case 0x09:
    case 0x11:
    case 0x12:
      return 8;
    case 0x07:
      return 12;
    case 0x13:
      return 16;
    // String, code, symbol: length, then text.
    case 0x02:
    case 0x0d:
    case 0x0e:
      return 4 + lengthAt(bytes, at);
    case 0x05:
      return 5 + lengthAt(bytes, at);
    case 0x0c:
      return 16 + lengthAt(bytes, at);
    // Document, list, code with scope: the length includes itself.
    case 0x03:
    case 0x04:
    case 0x0f:
      return lengthAt(bytes, at);
    // Regular expression: two texts, each ending with a zero.
    case 0x0b:
      return bytes.indexOf(0, bytes.indexOf(0, at) + 1) + 1 - at;
    default:
      throw damaged();
  }
}

function lengthAt(bytes: Buffer, at: number): number {
  const length = bytes.readInt32LE(at);
  if (length < 0) throw damaged();
  return length;
}

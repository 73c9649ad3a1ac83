import { BSONRegExp, Binary, Long, ObjectId } from "bson";
import { emptyArray, isDoc, isList, rankOf, toNumber, type Doc } from "./values";

// Encodes values as byte strings in MongoDB's comparison order, one byte per character, so that `<` compares bytes and
// a Map can contain them. Each starts with the rank of its type (1 to 127), and none is a prefix of another. A
// descending field has its bytes inverted. So none continues with 0xff, and `key + "\u00ff"` is greater than everything
// that starts with `key`.

let scratch = Buffer.allocUnsafe(4096);
let length = 0;

function reserve(bytes: number): void {
  if (length + bytes <= scratch.length) return;
  const larger = Buffer.allocUnsafe(Math.max(scratch.length * 2, length + bytes));
  scratch.copy(larger, 0, 0, length);
  scratch = larger;
}

function writeByte(byte: number): void {
  reserve(1);
  scratch[length++] = byte;
}

function writeRaw(bytes: Uint8Array): void {
  reserve(bytes.length);
  scratch.set(bytes, length);
  length += bytes.length;
}

/** UTF-8, with 0 as 0,255, and 0,0 at the end: a text sorts before every longer one that starts with it. */
function writeText(text: string): void {
  reserve(text.length * 3 + 2);
  const start = length;
  length += scratch.write(text, start, "utf8");
  if (scratch.subarray(start, length).includes(0)) {
    const plain = Buffer.from(scratch.subarray(start, length));
    length = start;
    reserve(plain.length * 2 + 2);
    for (const byte of plain) {
      scratch[length++] = byte;
      if (byte === 0) scratch[length++] = 255;
    }
  }
  scratch[length++] = 0;
  scratch[length++] = 0;
}

function writeDouble(value: number): void {
  reserve(8);
  const start = length;
  length += 8;
  if (Number.isNaN(value)) {
    scratch.fill(0, start, length); // NaN is smaller than every number
    return;
  }
  scratch.writeDoubleBE(value === 0 ? 0 : value, start);
  const first = scratch.readUInt8(start);
  if (first < 128) scratch[start] = first | 128;
  else for (let i = start; i < length; i++) scratch[i] = scratch.readUInt8(i) ^ 255;
}

/** All number types share one order: the nearest double, then the offset of a large Long. */
function writeNumber(value: unknown): void {
  let nearest = toNumber(value);
  let rest = 0;
  if ((value instanceof Long || typeof value === "bigint") && !Number.isSafeInteger(nearest)) {
    const exact = typeof value === "bigint" ? value : value.toBigInt();
    nearest = Number(exact);
    rest = Number(exact - BigInt(nearest));
  }
  writeDouble(nearest);
  writeByte((rest + 0x8000) >> 8);
  writeByte((rest + 0x8000) & 255);
}

function writeObject(value: Doc): void {
  for (const key of Object.keys(value)) {
    writeByte(rankOf(value[key]));
    writeText(key);
    writeValue(value[key]);
  }
  writeByte(0);
}

function writeBinary(value: Binary): void {
  reserve(5);
  length = scratch.writeUInt32BE(value.position, length);
  writeByte(value.sub_type);
  writeRaw(value.buffer.subarray(0, value.position));
}

function writeOther(value: unknown): void {
  if (value instanceof ObjectId) writeRaw(value.id);
  else if (value instanceof Date) writeDouble(value.getTime());
  else if (value instanceof Binary) writeBinary(value);
  else if (value instanceof RegExp) {
    writeText(value.source);
    writeText(value.flags);
  } else if (value instanceof BSONRegExp) {
    writeText(value.pattern);
    writeText(value.options);
  } else if (isDoc(value)) writeObject(value);
}

function writeValue(value: unknown): void {
  writeByte(rankOf(value));
  if (typeof value === "string") writeText(value);
  else if (typeof value === "boolean") writeByte(value ? 1 : 0);
  else if (value === null || value === undefined || value === emptyArray) return;
  else if (isList(value)) {
    value.forEach(writeValue);
    writeByte(0);
  } else if (rankOf(value) === 10) writeNumber(value);
  else writeOther(value);
}

export function encodeValue(value: unknown): string {
  length = 0;
  writeValue(value);
  return scratch.toString("latin1", 0, length);
}

export function encodeKey(values: readonly unknown[], directions: readonly number[]): string {
  length = 0;
  for (let i = 0; i < values.length; i++) {
    const start = length;
    writeValue(values[i]);
    if (directions[i] === -1) for (let at = start; at < length; at++) scratch[at] = scratch.readUInt8(at) ^ 255;
  }
  return scratch.toString("latin1", 0, length);
}

const isSmall = (value: unknown): value is number => typeof value === "number";

export function compareValues(left: unknown, right: unknown): number {
  if (isSmall(left) && isSmall(right) && left === right) return 0;
  const ranks = rankOf(left) - rankOf(right);
  if (ranks !== 0) return ranks;
  const isInexact = left instanceof Long || right instanceof Long;
  if (rankOf(left) === 10 && !isInexact) {
    const difference = toNumber(left) - toNumber(right);
    if (!Number.isNaN(difference)) return difference;
  }
  const a = encodeValue(left);
  const b = encodeValue(right);
  return a < b ? -1 : a > b ? 1 : 0;
}

export function valuesEqual(left: unknown, right: unknown): boolean {
  if (typeof left === "string" && typeof right === "string") return left === right;
  return compareValues(left, right) === 0;
}

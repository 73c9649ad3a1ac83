import { constants, crc32, deflateRawSync } from "node:zlib";
import { type AnswerBytes, AnswerJoiner, type AnswerParts } from "@/lib/policy/answer/answer";
import type { Fragment } from "@/lib/policy/gzip/fragment";

/** RFC 1952, 2.3: magic, deflate, no flags, no time, no extra flags, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/** Longer app entries are compressed together. For less, the saved bytes are not worth the 40 µs per answer. */
const maxJoined = 20_000;
/** Only made-up requests (tokens of 64 kB each) lead to more, and must not cost more than a copy. */
const maxCompressed = 262_144;

/** One gzip member (`processes.md` N16) of pieces deflated beforehand; stores the texts in between uncompressed. */
export function joinGzip(parts: AnswerParts): AnswerBytes {
  const member = new GzipMember();
  let entries: (string | Fragment)[] = [];
  for (const part of parts) {
    if (typeof part === "string" || !part.isAhead) entries.push(part);
    else {
      addEntries(member, entries);
      entries = [];
      member.addFragment(part);
    }
  }
  addEntries(member, entries);
  return member.finish();
}

function addEntries(member: GzipMember, entries: AnswerParts): void {
  let length = 0;
  for (const entry of entries) length += typeof entry === "string" ? Buffer.byteLength(entry) : entry.bytes.length;
  if (length > maxJoined) {
    const pieces = entries.map((entry) => (typeof entry === "string" ? Buffer.from(entry) : entry.bytes));
    member.addCompressed(Buffer.concat(pieces, length));
    return;
  }
  for (const entry of entries) {
    if (typeof entry === "string") member.addStored(Buffer.from(entry));
    else member.addFragment(entry);
  }
}

/** Writes a gzip member whose blocks all start and end on a byte boundary. */
class GzipMember {
  readonly #joiner = new AnswerJoiner();
  #crc = 0;
  #size = 0;

  constructor() {
    this.#joiner.addBytes(header);
  }

  addFragment(fragment: Fragment): void {
    this.#crc = fragment.carryOn(this.#crc);
    this.#size += fragment.bytes.length;
    this.#joiner.addBytes(fragment.deflated);
  }

  addCompressed(bytes: Buffer): void {
    this.#count(bytes);
    const level = bytes.length > maxCompressed ? 0 : 1;
    this.#joiner.addBytes(deflateRawSync(bytes, { level, finishFlush: constants.Z_FULL_FLUSH }));
  }

  /** @param bytes at most 65,535 */
  addStored(bytes: Buffer): void {
    this.#count(bytes);
    this.#joiner.addBytes(storedHeader(bytes.length, false));
    this.#joiner.addBytes(bytes);
  }

  finish(): AnswerBytes {
    const trailer = Buffer.allocUnsafe(8);
    trailer.writeUInt32LE(this.#crc, 0);
    trailer.writeUInt32LE(this.#size, 4);
    this.#joiner.addBytes(storedHeader(0, true));
    this.#joiner.addBytes(trailer);
    return this.#joiner.finish();
  }

  #count(bytes: Buffer): void {
    // See `Fragment.carryOn`.
    if (bytes.length === 0) return;
    this.#crc = crc32(bytes, this.#crc);
    this.#size += bytes.length;
  }
}

/** RFC 1951, 3.2.4: whether the block is the last one, then its length and the complement of its length. */
function storedHeader(length: number, isLast: boolean): Buffer {
  const bytes = Buffer.allocUnsafe(5);
  bytes.writeUInt8(isLast ? 1 : 0, 0);
  bytes.writeUInt16LE(length, 1);
  bytes.writeUInt16LE(length ^ 0xffff, 3);
  return bytes;
}

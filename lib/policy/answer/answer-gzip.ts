import { constants, crc32, deflateRawSync } from "node:zlib";
import { type AnswerBytes, AnswerJoiner, type AnswerParts } from "@/lib/policy/answer/answer";
import type { Fragment } from "@/lib/policy/gzip/fragment";

/** RFC 1952, 2.3: magic, deflate, no flags, no time, no extra flags, unknown system. */
const header = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);

/**
 * App entries that are longer together are compressed together: they have much in common, which pieces compressed one by
 * one cannot refer to. Below, the 40 µs that this takes for every answer are worth more than the bytes.
 */
const maxJoined = 20_000;
/** More than this comes from made-up requests (tokens of 64 kB each), which are to cost no more than a copy. */
const maxCompressed = 262_144;

/**
 * The bytes of an answer as one gzip member (`processes.md` N16): pieces that are deflated already are put one after the
 * other, texts in between are stored as they are.
 *
 * @param parts as `buildAnswer` makes them: entries of apps stand between fragments that were deflated ahead
 */
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

/** Writes a gzip member whose blocks all begin and end on a byte boundary. */
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

/** RFC 1951, 3.2.4: whether the block is the last one, then its length as it is and with all bits turned. */
function storedHeader(length: number, isLast: boolean): Buffer {
  const bytes = Buffer.allocUnsafe(5);
  bytes.writeUInt8(isLast ? 1 : 0, 0);
  bytes.writeUInt16LE(length, 1);
  bytes.writeUInt16LE(length ^ 0xffff, 3);
  return bytes;
}

import { crc32 } from "node:zlib";
import { sendInPlace, type AnswerBytes, type AnswerParts } from "@/lib/policy/answer";
import { AnswerMemory } from "@/lib/policy/answer-memory";
import { joinCrc } from "@/lib/policy/crc32";
import { farthestDistance } from "@/lib/policy/deflate-codes";
import { DeflateWriter } from "@/lib/policy/deflate-writer";
import { compound } from "@/lib/policy/piece-table";
import { PiecedFragment } from "@/lib/policy/pieced-fragment";

/** RFC 1952: magic, deflate, no flags, no time, no extra flags, unknown system. */
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff]);
const trailerLength = 8;

/** Longer texts are stored: copying them is faster than coding them, and fixed codes make them no shorter. */
const longestCodedText = 256;
/** So many literal bytes in an entry make it worth asking whether its ready-made blocks are shorter. */
const manyLiterals = 192;
/** Bits that ready-made blocks in between cost: end of a block, an empty stored block, begin of a block. */
const switchBits = 7 + 3 + 7 + 32 + 3;

const memory = new AnswerMemory(sendInPlace);
const writer = new DeflateWriter(memory);
/**
 * Position in the bytes of an answer, on a scale that leaves answers too far apart to be referred to. Before it
 * outgrows 32 bits, a new age begins, which knows nothing of the one before.
 */
let position = 0;
let age = 0;
const longestAge = 2 ** 30;

/**
 * The bytes of an answer as one gzip member (RFC 1952), without compressing or searching anything: what stood before in
 * the answer is known from the pieces of its fragments, everything else has its codes ready. The checksum is joined
 * from the fragments' own.
 */
export function joinGzip(parts: AnswerParts): AnswerBytes {
  try {
    const answer = writeParts(parts);
    position += farthestDistance;
    return answer;
  } catch (error) {
    // Pieces may be noted where nothing was written.
    startAge();
    throw error;
  }
}

function writeParts(parts: AnswerParts): AnswerBytes {
  let size = 0;
  let crc = 0;
  let hasEntries = false;
  memory.begin();
  memory.add(gzipHeader);
  writer.begin();
  for (const part of parts) {
    if (typeof part === "string") {
      const bytes = Buffer.from(part);
      crc = crc32(bytes, crc);
      size += bytes.length;
      position += bytes.length;
      writeText(bytes, hasEntries);
    } else {
      crc = joinCrc(crc, part.crc, part.shift);
      size += part.bytes.length;
      if (part instanceof PiecedFragment) {
        if (position > longestAge) startAge();
        part.table.enter(age);
        // Before the first entry there is nothing to refer to.
        if (!hasEntries || part.isMostlyOwn) {
          notePieces(part);
          writer.ready(part.deflated);
        } else if (!writePieces(part)) writer.ready(part.deflated);
        hasEntries = true;
      } else writer.ready(part.deflated);
      position += part.bytes.length;
    }
  }
  writer.end();
  memory.reserve(trailerLength);
  memory.view.setInt32(memory.at, crc, true);
  memory.view.setInt32(memory.at + 4, size, true);
  memory.at += trailerLength;
  const buffers = memory.finish();
  let length = 0;
  for (const buffer of buffers) length += buffer.length;
  return { buffers, length };
}

function startAge(): void {
  age++;
  position = 0;
}

function writeText(bytes: Buffer, isAmongEntries: boolean): void {
  if (!isAmongEntries || bytes.length > longestCodedText) {
    writer.stored(bytes);
    return;
  }
  writer.reserve(bytes.length);
  writer.open();
  writer.literals(bytes);
}

/**
 * Writes a fragment piece by piece.
 *
 * @returns false when the ready-made blocks are shorter; nothing is written then, but the pieces count as written
 */
function writePieces(fragment: PiecedFragment): boolean {
  writer.reserve(fragment.bytes.length);
  const mark = writer.mark();
  writer.open();
  const literals = writer.pieces(fragment.steps, fragment.table, position);
  if (literals < manyLiterals || writer.bitsSince(mark) <= fragment.deflated.length * 8 + switchBits) return true;
  writer.takeBack(mark);
  return false;
}

/** Remembers where the pieces of a fragment stand that is written otherwise. */
function notePieces({ steps, table: { lengths, lastAt } }: PiecedFragment): void {
  let at = position;
  for (let step = 0; step < steps.length;) {
    const piece = steps[step++] ?? 0;
    if (piece >= compound) {
      lastAt[piece - compound] = at;
      step++;
    } else if (piece < 0) {
      at += ~piece;
      step += 1 + (((steps[step] ?? 0) + 31) >>> 5);
    } else {
      lastAt[piece] = at;
      at += lengths[piece] ?? 0;
    }
  }
}

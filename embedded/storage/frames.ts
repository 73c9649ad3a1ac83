import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";
import { buildFormatPayload, latestFormat, NewerFormat, parseFormat } from "./format";

// A log or snapshot file is a sequence of frames. Each is one commit, which counts completely or not at all.
//   0 magic | 4 payload length | 8 where its batch begins | 14 place in it | 16 CRC of the payload | 20 CRC of 0–19
// A batch is what one write and one sync add to the file. Its start tells a torn tail from damage: a later valid frame,
// of a batch that starts after a bad spot, proves that the spot had been synced. Start and place also show where a
// frame belongs, so that a missing or moved one is noticed.

export const frameHeaderBytes = 24;
/** Maximum number of frames in a batch, because places have 16 bits. */
export const maxFramesOfBatch = 0x10000;
const magic = 0x32504f46;
/** Frames of the first version: the start of the batch is a double, and there is no place. */
const oldMagic = 0x31504f46;
const maxPayloadBytes = 0x7fff0000;

export class DamagedFile extends Error {
  constructor(file: string, offset: number, what: string) {
    super(
      `The embedded database cannot start: ${file} is damaged at byte ${offset} (${what}). ` +
        "Restore the folder from a copy, or move it away to begin with an empty database.",
    );
    this.name = "DamagedFile";
  }
}

export function frameHeader(payload: Uint8Array, batchStart: number, place: number, kind = magic): Buffer {
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt32LE(kind, 0);
  header.writeUInt32LE(payload.length, 4);
  header.writeUIntLE(batchStart, 8, 6);
  header.writeUInt16LE(place % maxFramesOfBatch, 14);
  header.writeUInt32LE(crc32(payload), 16);
  header.writeUInt32LE(crc32(header.subarray(0, 20)), 20);
  return header;
}

/** The start of every file: place 0 of a batch at byte 0. Such a header is the same in both versions. */
export function firstFrame(): Buffer {
  const payload = buildFormatPayload();
  return Buffer.concat([frameHeader(payload, 0, 0, oldMagic), payload]);
}

interface FrameHeader {
  readonly length: number;
  readonly checksum: number;
  readonly batchStart: number;
  readonly place: number | null;
}

function parseHeader(header: Buffer): FrameHeader | null {
  if (header.length < frameHeaderBytes) return null;
  const isOld = header.readUInt32LE(0) === oldMagic;
  if (!isOld && header.readUInt32LE(0) !== magic) return null;
  if (header.readUInt32LE(20) !== crc32(header.subarray(0, 20))) return null;
  const length = header.readUInt32LE(4);
  if (length > maxPayloadBytes) return null;
  return {
    length,
    checksum: header.readUInt32LE(16),
    batchStart: isOld ? header.readDoubleLE(8) : header.readUIntLE(8, 6),
    place: isOld ? null : header.readUInt16LE(14),
  };
}

class FrameOrder {
  #batchStart = 0;
  #place = -1;

  accepts({ batchStart, place }: FrameHeader, offset: number): boolean {
    const next = batchStart === this.#batchStart ? (this.#place + 1) % maxFramesOfBatch : 0;
    const isNext = batchStart === this.#batchStart || batchStart === offset;
    this.#batchStart = batchStart;
    this.#place = next;
    return isNext && (place === null || place === next);
  }
}

class FileWindow {
  readonly size: number;
  #buffer = Buffer.alloc(0);
  #start = 0;

  constructor(private readonly fd: number) {
    this.size = fstatSync(fd).size;
  }

  /** The bytes from `offset` on, fewer at the end of the file. Valid until the next call. */
  read(offset: number, length: number): Buffer {
    const end = Math.min(offset + length, this.size);
    if (offset < this.#start || end > this.#start + this.#buffer.length) {
      const wanted = Math.min(Math.max(length, 4 * 1024 * 1024), this.size - offset);
      this.#buffer = Buffer.allocUnsafeSlow(wanted);
      this.#start = offset;
      for (let filled = 0; filled < wanted;) {
        const count = readSync(this.fd, this.#buffer, filled, wanted - filled, offset + filled);
        if (count === 0) break;
        filled += count;
      }
    }
    return this.#buffer.subarray(offset - this.#start, end - this.#start);
  }
}

export interface ReadFrames {
  readonly end: number;
  readonly size: number;
  readonly isLatest: boolean;
}

/**
 * Passes every payload but the format to `apply`, valid only during the call. `canBeTorn`: skips an unfinished last
 * batch. Throws DamagedFile if a bad spot cannot be an unfinished write, NewerFormat if a later version wrote the file.
 */
export function readFrames(file: string, canBeTorn: boolean, apply: (payload: Buffer) => void): ReadFrames {
  const fd = openSync(file, "r");
  try {
    const window = new FileWindow(fd);
    const order = new FrameOrder();
    let offset = 0;
    let isLatest = false;
    while (offset < window.size) {
      const header = parseHeader(window.read(offset, frameHeaderBytes));
      const payload = header && window.read(offset + frameHeaderBytes, header.length);
      if (header === null || payload?.length !== header.length || crc32(payload) !== header.checksum) {
        const reason = header === null ? "no sound frame header" : "its content does not match its checksum";
        if (!canBeTorn || hasLaterBatch(file, offset)) throw new DamagedFile(file, offset, reason);
        break;
      }
      if (!order.accepts(header, offset)) {
        throw new DamagedFile(file, offset, "the frame there belongs elsewhere: one is missing, or they were swapped");
      }
      const written = offset === 0 ? parseFormat(payload) : null;
      if (written !== null && written.format > latestFormat) throw new NewerFormat(file, written);
      isLatest ||= written?.format === latestFormat;
      try {
        if (written === null) apply(payload);
      } catch (error) {
        throw new DamagedFile(file, offset, error instanceof Error ? error.message : String(error));
      }
      offset += frameHeaderBytes + header.length;
    }
    return { end: offset, size: window.size, isLatest };
  } finally {
    closeSync(fd);
  }
}

/** Whether a valid frame follows whose batch started after the bad spot. If so, the spot had been synced. */
function hasLaterBatch(file: string, bad: number): boolean {
  const rest = readFileSync(file).subarray(bad);
  return [magic, oldMagic].some((kind) => {
    const mark = Buffer.alloc(4);
    mark.writeUInt32LE(kind, 0);
    for (let at = rest.indexOf(mark, 1); at >= 0; at = rest.indexOf(mark, at + 1)) {
      const header = parseHeader(rest.subarray(at, at + frameHeaderBytes));
      if (header === null || header.batchStart <= bad) continue;
      const payload = rest.subarray(at + frameHeaderBytes, at + frameHeaderBytes + header.length);
      if (payload.length === header.length && crc32(payload) === header.checksum) return true;
    }
    return false;
  });
}

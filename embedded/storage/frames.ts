import { closeSync, fstatSync, openSync, readFileSync, readSync } from "node:fs";
import { crc32 } from "node:zlib";

/*
 * A log or snapshot file is a row of frames, each one commit: it counts wholly or not at all.
 *
 *   0 magic | 4 payload length | 8 where the frame's batch begins | 16 CRC of the payload | 20 CRC of bytes 0 to 19
 *
 * A batch is what one write and one sync put into the file. Its beginning tells a torn tail from damage: a bad place
 * before the last batch had been synced, and a later sound frame of a batch that began behind it proves that.
 */

export const frameHeaderBytes = 24;
const magic = 0x31504f46;
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

export function frameHeader(payload: Uint8Array, batchStart: number): Buffer {
  const header = Buffer.alloc(frameHeaderBytes);
  header.writeUInt32LE(magic, 0);
  header.writeUInt32LE(payload.length, 4);
  header.writeDoubleLE(batchStart, 8);
  header.writeUInt32LE(crc32(payload), 16);
  header.writeUInt32LE(crc32(header.subarray(0, 20)), 20);
  return header;
}

/** The payload length of a sound header, else null. */
function payloadLength(header: Buffer): number | null {
  if (header.length < frameHeaderBytes || header.readUInt32LE(0) !== magic) return null;
  if (header.readUInt32LE(20) !== crc32(header.subarray(0, 20))) return null;
  const length = header.readUInt32LE(4);
  return length <= maxPayloadBytes ? length : null;
}

/** Reads a file front to back through one window of a few megabytes. */
class FileWindow {
  readonly size: number;
  #buffer = Buffer.alloc(0);
  #start = 0;

  constructor(private readonly fd: number) {
    this.size = fstatSync(fd).size;
  }

  /** The bytes from `offset` on, fewer at the end of the file; valid until the next call. */
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

/**
 * Hands every sound frame's payload to `apply` (valid only during the call) and answers where the last one ends.
 *
 * @param canBeTorn the file was being written when the process ended: an unfinished last batch is left out
 * @throws DamagedFile with file and offset when the bad place cannot be an unfinished write
 */
export function readFrames(
  file: string,
  canBeTorn: boolean,
  apply: (payload: Buffer) => void,
): { end: number; size: number } {
  const fd = openSync(file, "r");
  try {
    const window = new FileWindow(fd);
    let offset = 0;
    while (offset < window.size) {
      const header = window.read(offset, frameHeaderBytes);
      const length = payloadLength(header);
      const checksum = length === null ? 0 : header.readUInt32LE(16);
      const payload = length === null ? null : window.read(offset + frameHeaderBytes, length);
      if (payload === null || payload.length !== length || crc32(payload) !== checksum) {
        const reason = payload === null ? "no sound frame header" : "its content does not match its checksum";
        if (!canBeTorn || hasLaterBatch(file, offset)) throw new DamagedFile(file, offset, reason);
        break;
      }
      try {
        apply(payload);
      } catch (error) {
        throw new DamagedFile(file, offset, error instanceof Error ? error.message : String(error));
      }
      offset += frameHeaderBytes + length;
    }
    return { end: offset, size: window.size };
  } finally {
    closeSync(fd);
  }
}

/** Whether a sound frame follows whose batch began behind the bad place: then that place had been synced. */
function hasLaterBatch(file: string, bad: number): boolean {
  const rest = readFileSync(file).subarray(bad);
  const mark = Buffer.alloc(4);
  mark.writeUInt32LE(magic, 0);
  for (let at = rest.indexOf(mark, 1); at >= 0; at = rest.indexOf(mark, at + 1)) {
    const header = rest.subarray(at, at + frameHeaderBytes);
    const length = payloadLength(header);
    if (length === null || header.readDoubleLE(8) <= bad) continue;
    const payload = rest.subarray(at + frameHeaderBytes, at + frameHeaderBytes + length);
    if (payload.length === length && crc32(payload) === header.readUInt32LE(16)) return true;
  }
  return false;
}

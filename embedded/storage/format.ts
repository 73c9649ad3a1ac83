import { version } from "../../package.json";

// The first frame of a file contains its format and the version that wrote it. Versions before format 3 do not know it:
// they would treat an unknown file as an unfinished write and cut it off. So the frame looks like one of theirs, but
// with a BSON element of a nonexistent type. They refuse the file unchanged, and quote the element's name, which is
// this text. Format 1 has no places in a batch, format 2 does, format 3 adds this frame. See `frames.ts`.

export const latestFormat = 3;

const structureEntry = 3;
const unknownType = 0xee;
/** Bytes before the element's name: kind and number of the entry, size of the document, type. */
const nameAt = 10;

export interface FileFormat {
  readonly format: number;
  readonly version: string;
}

export function buildFormatPayload(written: FileFormat = { format: latestFormat, version }): Buffer {
  const name = `format ${written.format}, written by version ${written.version}; older versions cannot open it`;
  const payload = Buffer.alloc(nameAt + Buffer.byteLength(name) + 2);
  payload.writeUInt8(structureEntry, 0);
  payload.writeInt32LE(payload.length - 5, 5);
  payload.writeUInt8(unknownType, 9);
  payload.write(name, nameAt);
  return payload;
}

/** Parses a first frame; null if it is an ordinary one, as in files before format 3. */
export function parseFormat(payload: Buffer): FileFormat | null {
  if (payload[0] !== structureEntry || payload[9] !== unknownType) return null;
  const [, format, by = ""] = /^format (\d+), written by version ([^;]*);/.exec(payload.toString("utf8", nameAt)) ?? [];
  return format === undefined ? null : { format: Number(format), version: by };
}

export class NewerFormat extends Error {
  constructor(file: string, written: FileFormat) {
    super(
      `The embedded database cannot start: ${file} was written by version ${written.version} of the server in ` +
        `format ${written.format}, and version ${version} reads formats up to ${latestFormat}. Nothing was changed. ` +
        "Start that version or a later one, or restore a backup made by this version.",
    );
    this.name = "NewerFormat";
  }
}

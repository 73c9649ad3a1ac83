import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { createGunzip } from "node:zlib";
import { EJSON } from "bson";
import type { z } from "zod";
import {
  backupHeader,
  type BackupHeader,
  BackupRefused,
  backupSection,
  backupTrailer,
} from "@/lib/platform/backup/format";

export interface BackupDocument {
  readonly collection: string;
  readonly document: object;
}

/** More than the largest document as JSON. A file with a longer line is no backup. Bytes. */
const longestLine = 256 * 1024 * 1024;
const lineFeed = 0x0a;

/** Reads a backup and checks it (`exchange.md` X11). Only the end proves that it is complete. Throws BackupRefused. */
export async function* readBackup(
  file: string,
  onHeader: (header: BackupHeader) => void = () => undefined,
): AsyncGenerator<BackupDocument> {
  const hash = createHash("sha256");
  const counts: Record<string, number> = {};
  let header: BackupHeader | null = null;
  let section: string | null = null;
  let isEnded = false;
  let number = 0;
  for await (const line of readLines(file)) {
    number += 1;
    if (isEnded) throw new BackupRefused(`The file goes on after its end, in line ${number}`);
    const value = parseLine(line, number);
    if (header === null) {
      header = requireHeader(value);
      onHeader(header);
    } else if (isTrailer(value)) {
      requireTrailer(value, { header, counts, sha256: hash.digest("hex") });
      isEnded = true;
      continue;
    } else {
      const next = backupSection.safeParse(value);
      if (next.success) {
        section = requireSection(next.data.collection, header, counts);
        counts[section] = 0;
      } else {
        if (section === null) throw new BackupRefused(`Line ${number} belongs to no collection`);
        if (!Object.hasOwn(value, "_id")) throw new BackupRefused(`The document in line ${number} has no _id`);
        counts[section] = (counts[section] ?? 0) + 1;
        yield { collection: section, document: value };
      }
    }
    hash.update(line).update("\n");
  }
  if (header === null) throw new BackupRefused("The file is empty");
  if (!isEnded) throw new BackupRefused("The file ends too early: it is not the whole backup");
}

export async function checkBackup(file: string): Promise<BackupHeader> {
  const found: BackupHeader[] = [];
  const documents = readBackup(file, (header) => found.push(header));
  while ((await documents.next()).done !== true);
  const [header] = found;
  if (header === undefined) throw new BackupRefused("The file is empty");
  return header;
}

async function* readLines(file: string): AsyncGenerator<Buffer> {
  let open: Buffer[] = [];
  let openLength = 0;
  for await (const piece of decompress(file)) {
    let from = 0;
    for (let to = piece.indexOf(lineFeed); to !== -1; to = piece.indexOf(lineFeed, from)) {
      yield Buffer.concat([...open, piece.subarray(from, to)]);
      [open, openLength] = [[], 0];
      from = to + 1;
    }
    if (from === piece.length) continue;
    open.push(piece.subarray(from));
    openLength += piece.length - from;
    if (openLength > longestLine) throw new BackupRefused("The file holds a line that is too long for a backup");
  }
  if (openLength > 0) throw new BackupRefused("The file ends too early, in the middle of a line");
}

async function* decompress(file: string): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  const gunzip = createGunzip();
  // A read error must also end the decompression.
  source.once("error", (error) => gunzip.destroy(error));
  try {
    for await (const piece of source.pipe(gunzip)) if (Buffer.isBuffer(piece)) yield piece;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "Z_BUF_ERROR") throw new BackupRefused("The file ends too early: it is not the whole backup");
    if (code.startsWith("Z_")) throw new BackupRefused("The file is not compressed with gzip, or is damaged");
    throw error;
  } finally {
    source.destroy();
    gunzip.destroy();
  }
}

function parseLine(line: Buffer, number: number): object {
  try {
    const value: unknown = EJSON.parse(line.toString("utf8"), { relaxed: false });
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value;
  } catch {
    // Thrown below.
  }
  throw new BackupRefused(
    number === 1 ? "The file is not a backup of this server" : `Line ${number} holds no document: the file is damaged`,
  );
}

function requireHeader(value: object): BackupHeader {
  const header = backupHeader.safeParse(plain(value));
  if (header.success) return header.data;
  const isOurs = "format" in value && value.format === "open-policy-backup";
  throw new BackupRefused(
    isOurs
      ? "The backup has a form that this version does not know: it was written by a newer one"
      : "The file is not a backup of this server",
  );
}

const isTrailer = (value: object) => "end" in value && !("_id" in value);

function requireSection(name: string, header: BackupHeader, counts: Readonly<Record<string, number>>): string {
  if (!Object.hasOwn(header.collections, name)) throw new BackupRefused(`The collection ${name} is not in the header`);
  if (Object.hasOwn(counts, name)) throw new BackupRefused(`The collection ${name} is there twice`);
  return name;
}

function requireTrailer(
  value: object,
  found: { header: BackupHeader; counts: Readonly<Record<string, number>>; sha256: string },
): void {
  const trailer = parsePlain(backupTrailer, value);
  if (trailer === null) throw new BackupRefused("The last line of the file is damaged");
  if (trailer.sha256 !== found.sha256) {
    throw new BackupRefused("The file was changed after it was written: its SHA-256 is not that of its last line");
  }
  const names = Object.keys(found.header.collections);
  for (const name of [...names, ...Object.keys(trailer.collections)]) {
    const [said, written, read] = [found.header.collections[name], trailer.collections[name], found.counts[name]];
    if (said === written && written === read) continue;
    throw new BackupRefused(`The file holds ${read ?? 0} documents of ${name}, and says ${written ?? said ?? 0}`);
  }
}

function plain(value: object): unknown {
  return JSON.parse(EJSON.stringify(value, { relaxed: true }));
}

function parsePlain<T>(schema: z.ZodType<T>, value: object): T | null {
  const parsed = schema.safeParse(plain(value));
  return parsed.success ? parsed.data : null;
}

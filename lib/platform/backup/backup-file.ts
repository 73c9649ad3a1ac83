import { createWriteStream } from "node:fs";
import { open, rename, rm, stat } from "node:fs/promises";
import path from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGzip } from "node:zlib";
import { MongoServerError } from "mongodb";
import mongoose from "mongoose";
import type { DigestTables } from "@/lib/platform/backup/format";
import { openBackupSource } from "@/lib/platform/backup/source";
import { writeBackup } from "@/lib/platform/backup/write";
import { DatabaseUnavailable, isUnavailable } from "@/lib/platform/db/connection/errors";
import { inDatabase } from "@/lib/platform/db/connection/connect";

export interface BackupProgress {
  readonly documents: number;
  readonly of: number;
}

/**
 * Writes all data, as of one point in time, to a file that only its owner can read (`exchange.md` X11), in one
 * transaction, which the database ends after a minute. `digest`: for a restore drill. Throws DatabaseUnavailable; leaves
 * no partial file.
 */
export async function writeBackupFile(
  file: string,
  told: (progress: BackupProgress) => void = () => undefined,
  digest: DigestTables | null = null,
) {
  const draft = `${file}.part`;
  try {
    const written = await writeDraft(draft, told, digest);
    await rename(draft, file);
    await sync(path.dirname(file));
    return { ...written, bytes: (await stat(file)).size };
  } catch (error) {
    await rm(draft, { force: true });
    throw error;
  }
}

async function writeDraft(draft: string, told: (progress: BackupProgress) => void, digest: DigestTables | null) {
  return inDatabase(async () => {
    const session = await mongoose.startSession();
    try {
      session.startTransaction({ readConcern: { level: "snapshot" } });
      const source = await openBackupSource(session, new Date());
      const of = source.collections.reduce((sum, { count }) => sum + count, 0);
      const tables = digest === null ? {} : { tables: await digest(session, source.revision) };
      const lines = writeBackup({ ...source, ...tables }, (documents) => told({ documents, of }));
      await pipeline(Readable.from(lines), createGzip(), createWriteStream(draft, { mode: 0o600, flags: "wx" }));
      await sync(draft);
      return { documents: of, revision: source.revision };
    } catch (error) {
      throw isCutOff(error)
        ? new DatabaseUnavailable(cutOffSentence, { cause: error, sentence: cutOffSentence })
        : error;
    } finally {
      await session.endSession();
    }
  });
}

const cutOffSentence =
  "The database broke off while it was read, so there is no backup. It went away, changed its primary, or needed more than " +
  "a minute; try again.";

function isCutOff(error: unknown): boolean {
  if (isUnavailable(error)) return true;
  return error instanceof MongoServerError && error.hasErrorLabel("TransientTransactionError");
}

export async function sync(name: string): Promise<void> {
  const handle = await open(name, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

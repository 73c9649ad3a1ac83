import "server-only";
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { writeBackupFile } from "@/lib/platform/backup/backup-file";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { FileAnswer } from "@/lib/platform/http/file-answer";
import { StreamedData } from "@/lib/platform/http/streamed-data";

/**
 * Makes a backup for somebody to save, and notes in the audit trail that they have it: private keys are in it
 * (`exchange.md` X11). It is written to `dataDir` first, because a database holds a point in time for a minute only and
 * a caller may take longer; the file has no name any more when its first byte is sent.
 *
 * @throws DatabaseUnavailable, or when `dataDir` cannot be written
 */
export async function sendBackup(dataDir: string, writer: WriteContext, now: Date): Promise<FileAnswer> {
  await mkdir(dataDir, { recursive: true });
  await removeLeftovers(dataDir, now);
  const spool = path.join(dataDir, `backup-${randomUUID()}.tmp`);
  try {
    const { documents, bytes, revision } = await writeBackupFile(spool);
    const handle = await open(spool, "r");
    // Closes itself at the end of the reading, and when the caller has gone.
    const pieces = createReadStream("", { fd: handle, highWaterMark: 256 * 1024 });
    try {
      await inTransaction(writer, (tx) => {
        tx.keepRevision();
        tx.record({ action: "backup.read", target: "database", after: { documents, bytes, revision } });
        return Promise.resolve();
      });
    } catch (error) {
      pieces.destroy();
      throw error;
    }
    const name = `open-policy-${now.toISOString().slice(0, 19).replaceAll(/[:T]/g, "-")}.backup.gz`;
    return new FileAnswer(await StreamedData.start(pieces), { type: "application/gzip", name });
  } finally {
    await rm(spool, { force: true });
  }
}

/** What is older was left by a process that was killed: no backup takes longer. Milliseconds. */
const leftoverMs = 10 * 60_000;

async function removeLeftovers(dataDir: string, now: Date): Promise<void> {
  for (const name of await readdir(dataDir)) {
    if (!/^backup-[0-9a-f-]{36}\.tmp(\.part)?$/.test(name)) continue;
    const file = path.join(dataDir, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && now.getTime() - found.mtimeMs > leftoverMs) await rm(file, { force: true });
  }
}

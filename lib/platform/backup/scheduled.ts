import "server-only";
import { mkdir, readdir, rm } from "node:fs/promises";
import path from "node:path";
import { writeBackupFile } from "@/lib/platform/backup/backup-file";
import { checkBackup } from "@/lib/platform/backup/read";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import type { TaskReport } from "@/lib/platform/process/task-report";

const nameOf = (now: Date) => `open-policy-${now.toISOString().slice(0, 19).replaceAll(/[:T]/g, "-")}.backup.gz`;
const ownName = /^open-policy-\d{4}(-\d\d){5}\.backup\.gz$/;

/** Where backups are kept (`BACKUP_DIR`), and how many of them (`BACKUP_KEEP`). */
export interface BackupPlace {
  readonly folder: string;
  readonly keep: number;
}

/**
 * Keeps a backup in a folder and removes the oldest ones there (`exchange.md` X12). It is read again before it counts: one
 * that cannot be restored is removed, and none of the others then. Files of other names are left alone.
 *
 * @throws whatever writing, reading and checking throw
 */
export async function keepBackup(
  { folder, keep }: BackupPlace,
  context: WriteContext,
  report: TaskReport,
  now: Date = new Date(),
): Promise<{ readonly documents: number; readonly bytes: number; readonly removed: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const file = path.join(folder, nameOf(now));
  report.phase("writing the backup");
  const { documents, bytes, revision } = await writeBackupFile(file, ({ documents: done, of }) =>
    report.progress(done, of),
  );
  report.phase("reading it again");
  await checkBackup(file).catch(async (error: unknown) => {
    await rm(file, { force: true });
    throw error;
  });
  const removed = await removeOldest(folder, keep);
  const after = { file: path.basename(file), documents, bytes, revision, removed };
  await inTransaction(context, (tx) => {
    tx.keepRevision();
    tx.record({ action: "backup.keep", target: "database", after });
    return Promise.resolve();
  });
  return { documents, bytes, removed };
}

/** Names begin with the time, so the oldest come first. */
async function removeOldest(folder: string, keep: number): Promise<number> {
  const own = (await readdir(folder)).filter((name) => ownName.test(name)).toSorted();
  const surplus = own.slice(0, Math.max(0, own.length - keep));
  for (const name of surplus) await rm(path.join(folder, name), { force: true });
  return surplus.length;
}

import "server-only";
import { randomUUID } from "node:crypto";
import { createReadStream } from "node:fs";
import { mkdir, open, readdir, rm, stat } from "node:fs/promises";
import path from "node:path";
import { recordAuditEvent } from "@/lib/platform/audit/commands";
import { type BackupProgress, writeBackupFile } from "@/lib/platform/backup/backup-file";
import type { DigestTables } from "@/lib/platform/backup/format";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";
import { checkBackup } from "@/lib/platform/backup/read";
import type { TaskReport } from "@/lib/platform/process/task-report";

/** Sends and records a backup (`exchange.md` X11), from a file: the database keeps a snapshot for a minute only. */
export async function sendBackup(
  { dataDir, digest }: { readonly dataDir: string; readonly digest: DigestTables },
  writer: WriteContext,
  now: Date,
): Promise<FileAnswer> {
  await mkdir(dataDir, { recursive: true });
  await removeLeftovers(dataDir, /^backup-[0-9a-f-]{36}\.tmp(\.part)?$/, now);
  const spool = path.join(dataDir, `backup-${randomUUID()}.tmp`);
  try {
    const { documents, bytes, revision } = await writeBackupFile(spool, undefined, digest);
    const handle = await open(spool, "r");
    // Closes itself at its end, or when the client disconnects.
    const pieces = createReadStream("", { fd: handle, highWaterMark: 256 * 1024 });
    try {
      const after = { documents, bytes, revision };
      await recordAuditEvent(writer, { action: "backup.read", target: "database", after });
    } catch (error) {
      pieces.destroy();
      throw error;
    }
    return new FileAnswer(await StreamedData.start(pieces), { type: "application/gzip", name: nameOf(now) });
  } finally {
    await rm(spool, { force: true });
  }
}

/** Older files were left by a killed process, because no backup takes this long. Milliseconds. */
const leftoverMs = 10 * 60_000;

async function removeLeftovers(folder: string, names: RegExp, now: Date): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!names.test(name)) continue;
    const file = path.join(folder, name);
    const found = await stat(file).catch(() => null);
    if (found !== null && now.getTime() - found.mtimeMs > leftoverMs) await rm(file, { force: true });
  }
}

const nameOf = (now: Date) => `open-policy-${now.toISOString().slice(0, 19).replaceAll(/[:T]/g, "-")}.backup.gz`;
const ownName = /^open-policy-\d{4}(-\d\d){5}\.backup\.gz$/;

export interface BackupPlace {
  readonly folder: string;
  readonly keep: number;
  readonly digest: DigestTables;
}

/**
 * Writes a backup and removes the oldest ones (`exchange.md` X12). First reads the new one back: if it cannot be
 * restored, removes only that one. Files with other names stay.
 */
export async function keepBackup(
  { folder, keep, digest }: BackupPlace,
  context: WriteContext,
  report: TaskReport,
  now: Date = new Date(),
): Promise<{ readonly documents: number; readonly bytes: number; readonly removed: number }> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await removeLeftovers(folder, /^open-policy-[\d-]+\.backup\.gz\.part$/, now);
  const file = path.join(folder, nameOf(now));
  report.phase("writing the backup");
  const told = ({ documents: done, of }: BackupProgress) => report.progress(done, of);
  const { documents, bytes, revision } = await writeBackupFile(file, told, digest);
  report.phase("reading it again");
  await checkBackup(file).catch(async (error: unknown) => {
    await rm(file, { force: true });
    throw error;
  });
  const removed = await removeOldest(folder, keep);
  const after = { file: path.basename(file), documents, bytes, revision, removed };
  await recordAuditEvent(context, { action: "backup.keep", target: "database", after });
  return { documents, bytes, removed };
}

/** Keeps the last backup of each day: a server that restarts again and again must not push out those of other days. */
async function removeOldest(folder: string, keep: number): Promise<number> {
  const own = await listOwn(folder);
  const lastOfDay = new Map(own.map((name) => [name.slice(0, "open-policy-2026-01-01".length), name]));
  const kept = new Set([...lastOfDay.values()].slice(-keep));
  const surplus = own.filter((name) => !kept.has(name));
  for (const name of surplus) await rm(path.join(folder, name), { force: true });
  return surplus.length;
}

/** The newest of the nightly backups in a folder; null: there is none. */
export async function findNewestBackup(folder: string): Promise<string | null> {
  const newest = (await listOwn(folder)).at(-1);
  return newest === undefined ? null : path.join(folder, newest);
}

/** Names start with the time, so the oldest come first. */
async function listOwn(folder: string): Promise<readonly string[]> {
  const names = await readdir(folder).catch(() => []);
  return names.filter((name) => ownName.test(name)).toSorted();
}

import { existsSync } from "node:fs";
import { mkdir, rename, rm } from "node:fs/promises";
import path from "node:path";
import { type BackupProgress, sync } from "@/lib/platform/backup/backup-file";
import { type BackupHeader, BackupRefused } from "@/lib/platform/backup/format";
import { findContent, findReplaced, requireRestorable, restoreDocuments } from "@/lib/platform/backup/restore";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";

export interface StartedDatabase {
  readonly uri: string;
  close(): Promise<void>;
}

export interface FolderRestore {
  readonly file: string;
  readonly dataDir: string;
  readonly databaseName: string;
  readonly replace: boolean;
  readonly start: (folder: string) => Promise<StartedDatabase>;
  readonly told?: (progress: BackupProgress) => void;
  readonly now: Date;
}

export interface RestoreOutcome {
  readonly header: BackupHeader;
  readonly before: string | null;
}

/**
 * Restores a backup into the embedded database (`exchange.md` X11), all or nothing: into a new folder, which replaces
 * the old one when complete. Throws BackupRefused, also if there is data but not `replace`; an error that says who uses
 * the folder.
 */
export async function restoreFolder(options: FolderRestore): Promise<RestoreOutcome> {
  const { file, dataDir, databaseName: dbName, start, now } = options;
  const header = await requireRestorable(file);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = path.join(dataDir, "database");
  const draft = path.join(dataDir, "database.restoring");
  // Kept running until the new one is complete, so that no server starts on the folder.
  const current = await start(folder);
  let isEmpty = true;
  try {
    const there = await connected(current.uri, dbName, async () => ({
      ...(await findContent()),
      replaced: await findReplaced(),
    }));
    isEmpty = there.documents === 0;
    if (!isEmpty && !options.replace) throw holdsData(folder);
    await rm(draft, { recursive: true, force: true });
    const fresh = await start(draft);
    try {
      await connected(fresh.uri, dbName, () => restoreDocuments(file, header, there.replaced, options.told));
    } finally {
      await fresh.close();
    }
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    throw error;
  } finally {
    await current.close();
  }
  const aside = path.join(dataDir, `database.replaced-${now.toISOString().replaceAll(/[:.]/g, "-")}`);
  await swap({ folder, draft, aside });
  if (isEmpty) await rm(aside, { recursive: true, force: true });
  await removeSavedPolicies(dataDir);
  return { header, before: isEmpty ? null : aside };
}

export function holdsData(where: string): BackupRefused {
  return new BackupRefused(`The database in ${where} holds data already: --replace puts the backup in its place`);
}

/** Policies on disk belong to the previous database. */
export async function removeSavedPolicies(dataDir: string): Promise<void> {
  for (const name of ["policy-snapshot.json", "policy-snapshot.previous.json"]) {
    await rm(path.join(dataDir, name), { force: true });
  }
}

async function connected<T>(uri: string, dbName: string, work: () => Promise<T>): Promise<T> {
  await connect({ uri, dbName });
  try {
    return await work();
  } finally {
    await disconnect();
  }
}

async function swap({ folder, draft, aside }: { folder: string; draft: string; aside: string }): Promise<void> {
  await rename(folder, aside);
  // A server may have started on the folder between the close and the rename.
  if (existsSync(path.join(aside, "lock"))) {
    await rename(aside, folder);
    throw new BackupRefused(`A server has started on ${folder} meanwhile: stop it, and restore again`);
  }
  await rename(draft, folder);
  await sync(path.dirname(folder));
}

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
  /** The server's `DATA_DIR`; the database lies in its folder `database`. */
  readonly dataDir: string;
  readonly databaseName: string;
  /** Whether a database that holds data may be put aside. */
  readonly replace: boolean;
  /** Throws with a sentence when another process uses the folder. */
  readonly start: (folder: string) => Promise<StartedDatabase>;
  readonly told?: (progress: BackupProgress) => void;
  readonly now: Date;
}

export interface RestoreOutcome {
  readonly header: BackupHeader;
  /** Folder or file with what was there before; null: there was nothing. */
  readonly before: string | null;
}

/**
 * Restores a backup into the embedded database (`exchange.md` X11), all or nothing: into a new folder, which takes the
 * place of the old one when it is whole. The old one stays beside it.
 * @throws BackupRefused, also for a database that holds data unless `replace`; an error that names who uses the folder
 */
export async function restoreFolder(options: FolderRestore): Promise<RestoreOutcome> {
  const { file, dataDir, databaseName: dbName, start, now } = options;
  const header = await requireRestorable(file);
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = path.join(dataDir, "database");
  const draft = path.join(dataDir, "database.restoring");
  // Held until the new one is whole: nobody starts on it meanwhile.
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

/** What must be said before data is put aside. */
export function holdsData(where: string): BackupRefused {
  return new BackupRefused(`The database in ${where} holds data already: --replace puts the backup in its place`);
}

/** A policy that was kept on disk is that of the database before. */
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
  // Taken in the moment in which nobody held it.
  if (existsSync(path.join(aside, "lock"))) {
    await rename(aside, folder);
    throw new BackupRefused(`A server has started on ${folder} meanwhile: stop it, and restore again`);
  }
  await rename(draft, folder);
  await sync(path.dirname(folder));
}

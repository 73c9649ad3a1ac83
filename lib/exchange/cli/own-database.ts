import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import type { StartedDatabase } from "@/lib/platform/backup/restore-folder";
import { withAuditKey } from "@/lib/platform/secrets/own-secret";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import type { Settings } from "@/lib/platform/settings";

export type StartDatabase = (folder: string) => Promise<StartedDatabase>;

/** `MONGODB_URI`, or the database in `DATA_DIR`; throws an error that names another process using the folder. */
export async function withOwnDatabase<T>(settings: Settings, start: StartDatabase, work: () => Promise<T>): Promise<T> {
  const { mongodbUri, databaseName: dbName, dataDir } = settings;
  const embedded = mongodbUri === null ? await start(path.join(dataDir, "database")) : null;
  try {
    await connect({ uri: embedded?.uri ?? mongodbUri ?? "", dbName });
    return await withAuditKey(settings, work);
  } finally {
    await disconnect();
    await embedded?.close();
  }
}

/** Whether it may exist; checking does not create it. */
export function hasOwnDatabase({ mongodbUri, dataDir }: Settings): boolean {
  return mongodbUri !== null || existsSync(path.join(dataDir, "database"));
}

/** Like `withOwnDatabase`, but in a temporary embedded database. */
export async function withThrowawayDatabase<T>(
  settings: Settings,
  start: StartDatabase,
  work: () => Promise<T>,
): Promise<T> {
  const dataDir = await mkdtemp(path.join(tmpdir(), "open-policy-"));
  try {
    return await withOwnDatabase({ ...settings, mongodbUri: null, dataDir }, start, work);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
}

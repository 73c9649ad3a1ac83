import { watchEndedSessions } from "@/lib/auth/ended-sessions";
import { connect, disconnect } from "@/lib/db/connect";
import type { OpenedDatabase } from "@/lib/db/provider";
import { onRevision, readRevision } from "@/lib/db/revision";
import { log } from "@/lib/log";
import { createSnapshotLoader } from "@/lib/policy/load-snapshot";
import type { PolicySource } from "@/lib/policy/runtime";
import { loadSnapshotFile, saveSnapshotFile } from "@/lib/policy/snapshot-file";
import { saveFirstData } from "@/lib/seed/first-data";
import type { Settings } from "@/lib/settings";

/** A policy source that holds a database open. */
export interface DatabaseSource extends PolicySource {
  /** Closes the connection and the embedded database, if that is what is used. */
  close(): Promise<void>;
}

/**
 * Makes the runtime's source from a database, which need not be reachable yet: `open` is repeated until it answers.
 */
export function createDatabaseSource(settings: Settings, database: Promise<OpenedDatabase>): DatabaseSource {
  const loader = createSnapshotLoader({
    report: (damage) => log.warn({ ...damage }, "a stored document cannot be used"),
  });
  let stopWatching: (() => void) | null = null;
  return {
    async open() {
      await connect({
        uri: (await database).uri,
        dbName: settings.databaseName,
        maxPoolSize: settings.mongodbMaxPool,
        timeoutMs: settings.mongodbTimeoutMs,
      });
      // Before anything is answered from the database, and apart from the policy, whose renewal may take a while.
      if (settings.authType === "basic") stopWatching ??= await watchEndedSessions();
      const steps = await saveFirstData({
        root: process.cwd(),
        publicBaseUrl: settings.publicBaseUrl,
        withExampleApps: settings.directory === "example",
      });
      if (steps.length > 0) log.info({ steps }, "first data stored");
    },
    readRevision: () => readRevision(),
    load: () => loader.load(),
    onRevision: (listener) => onRevision(listener),
    loadSaved: () => loadSnapshotFile(settings.dataDir),
    save: (snapshot) => saveSnapshotFile(settings.dataDir, snapshot),
    async close() {
      stopWatching?.();
      await disconnect();
      await (await database).close();
    },
  };
}

import { watchAccess } from "@/lib/platform/auth/callers/watch-access";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { watchConnection } from "@/lib/platform/db/connection/dead-connection";
import { writtenHead } from "@/lib/platform/db/audit-head";
import { keepTrailHead } from "@/lib/platform/db/prepare-trail";
import { readDatabaseFacts, readIdentity } from "@/lib/platform/db/connection/database-facts";
import { onRevision, readRevision } from "@/lib/platform/db/revision";
import { findWriteRefusal } from "@/lib/platform/db/connection/retry-writes";
import { writeRefusal } from "@/lib/platform/db/connection/write-refusal";
import { log } from "@/lib/platform/log";
import { sealStoredKeys } from "@/lib/records/module-config/seal-stored-keys";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import type { PolicySource } from "@/lib/policy/policy-source";
import {
  confirmSnapshotFile,
  findSavedOrigin,
  loadSnapshotFile,
  saveSnapshotFile,
} from "@/lib/policy/saved/snapshot-file";
import { saveFirstData } from "@/lib/exchange/seed/first-data";
import type { Settings } from "@/lib/platform/settings";

/** When to replace a dead connection, and when to give up, in milliseconds. */
const timeout = { replaceAfterMs: 10_000, giveUpAfterMs: 60_000 };

/** The policy source with a database. The runtime retries `open` until it succeeds. */
export function createDatabaseSource(
  settings: Settings,
  address: Promise<string>,
  onDead?: () => void,
): PolicySource & { readonly close: () => Promise<void> } {
  const loader = createSnapshotLoader({
    report: (damage) => log.warn({ ...damage }, "a stored document cannot be used"),
  });
  let stopWatching: (() => Promise<void>) | null = null;
  let isPrepared = false;
  let facts: Awaited<ReturnType<typeof readDatabaseFacts>> | null = null;
  let endWatch: (() => void) | null = null;
  const prepare = async () => {
    await keepTrailHead(settings.dataDir, await readDatabaseFacts());
    const steps = await saveFirstData({
      root: process.cwd(),
      publicBaseUrl: settings.publicBaseUrl,
      withExampleApps: settings.directory === "example",
    });
    if (steps.length > 0) log.info({ steps }, "first data stored");
    const sealed = settings.keyEncryptionKey === null ? 0 : await sealStoredKeys(settings.keyEncryptionKey);
    if (sealed > 0) log.info({ sealed }, "stored private keys encrypted");
    // The first start has just made the database.
    await keepTrailHead(settings.dataDir, await readDatabaseFacts());
    isPrepared = true;
  };
  return {
    async open(requireExpected) {
      const database = { uri: await address, dbName: settings.databaseName };
      await connect(database);
      endWatch ??= watchConnection({ settings: database, ...timeout, ...(onDead && { onDead }) });
      // Before the first response that needs the database. Separate from the policy, which may take a while.
      const watch = async () => {
        if (settings.authType !== null) stopWatching ??= await watchAccess();
      };
      try {
        requireExpected(await readIdentity());
      } catch (error) {
        await watch().catch(() => undefined);
        throw error;
      }
      await watch();
      try {
        await prepare();
      } catch (error) {
        // Serve existing data even if the disk is full. The rest is prepared later.
        if (writeRefusal() === null || (await readRevision()) === 0) throw error;
        log.warn({ err: error }, "first data are still to be stored");
      }
    },
    readRevision: () => readRevision(),
    load: () => loader.load(),
    async writeRefusal() {
      const refusal = await findWriteRefusal();
      if (refusal === null && !isPrepared) await prepare();
      // The runtime has accepted this database, which may have taken the place of another one.
      if (facts !== null) await keepTrailHead(settings.dataDir, facts);
      return refusal;
    },
    onRevision: (listener) => onRevision(listener),
    loadSaved: () => loadSnapshotFile(settings.dataDir),
    save: (...snapshot) => saveSnapshotFile(settings.dataDir, ...snapshot),
    databaseFacts: async () => (facts = await readDatabaseFacts()),
    savedOrigin: () => findSavedOrigin(settings.dataDir),
    confirm: (at) => confirmSnapshotFile(settings.dataDir, at),
    async close() {
      await stopWatching?.();
      endWatch?.();
      await writtenHead();
      await disconnect();
    },
  };
}

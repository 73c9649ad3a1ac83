import { connect, disconnect, inDatabase } from "@/lib/platform/db/connection/connect";
import { watchConnection } from "@/lib/platform/db/connection/dead-connection";
import {
  hasFirstData,
  readDatabaseFacts,
  readIdentity,
  requireKnownSchema,
} from "@/lib/platform/db/connection/database-facts";
import { readRevision } from "@/lib/platform/db/revision";
import { log } from "@/lib/platform/log";
import type { DatabaseIdentity } from "@/lib/policy/latch";
import { createSnapshotLoader } from "@/lib/policy/snapshot/load-snapshot";
import type { AppCatalogue } from "@/lib/policy/table/snapshot";
import type { Settings } from "@/lib/platform/settings";

const maxConnections = 2;

/** A connection that is silent for this long while new ones work is replaced, in milliseconds. */
const deadAfterMs = 5_000;

class DatabaseNotPrepared extends Error {
  override readonly name = "DatabaseNotPrepared";
}

/**
 * Connects a worker to the database, which it only reads (`processes.md` N2). Call it again until it succeeds. `known`:
 * apps already in service; `takesUnfinished`: whether incomplete initial data is better than none.
 */
export async function openVehicleWorkerDatabase(
  settings: Settings,
  uri: string,
  known: AppCatalogue | null,
  takesUnfinished: boolean,
  requireExpected: (database: DatabaseIdentity) => void = () => undefined,
) {
  const database = { uri, dbName: settings.databaseName, maxPoolSize: maxConnections };
  await connect(database);
  const isFinished = await inDatabase(async () => {
    await requireKnownSchema();
    requireExpected(await readIdentity());
    return hasFirstData();
  });
  if (!isFinished && !(takesUnfinished && (await readRevision()) > 0))
    throw new DatabaseNotPrepared("The first data are not stored yet.");
  const endWatch = watchConnection({ settings: database, replaceAfterMs: deadAfterMs });
  const loader = createSnapshotLoader({
    report: (damage) => log.warn({ ...damage }, "a stored document cannot be used"),
    known,
  });
  return {
    readRevision: () => readRevision(),
    load: () => loader.load(),
    databaseFacts: readDatabaseFacts,
    async close() {
      endWatch();
      await disconnect();
    },
  };
}

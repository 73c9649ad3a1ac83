import { randomUUID } from "node:crypto";
import { DatabaseRefused } from "@/lib/platform/db/connection/errors";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { readRevision } from "@/lib/platform/db/revision";

/**
 * Version of the collections' structure. Raise it with a step (`lib/exchange/seed/steps.ts`) after which the previous
 * version cannot use the data; new collections, indexes or optional fields need none. 1: version 0.1.0, not stored. 2:
 * compares app uuids without case, keeps decisions about deleted apps.
 */
export const schemaVersion = 2;

const _id = "database";

const unfinishedRestore =
  "A backup is being restored into the database, or its restoring was broken off: wait for its end, or run " +
  '"open-policy restore FILE --replace" again.';

const unfinishedImport =
  "The data of an sdl_server is being loaded into the database, or its loading failed or was interrupted: wait for it to end, " +
  'or run "open-policy import-sdl-server" again. To begin without that data, use another database.';

function requireWhole(facts: { readonly restoringSince?: Date | null; readonly importingSince?: Date | null }): void {
  if (facts.restoringSince) throw new DatabaseRefused(unfinishedRestore);
  if (facts.importingSince) throw new DatabaseRefused(unfinishedImport);
}

/** Throws DatabaseRefused for a newer version's database, or an incomplete restore or import (`exchange.md` X11, X6a). */
export async function requireKnownSchema(known = schemaVersion): Promise<void> {
  const facts = await DatabaseFactsModel.findOne({ _id }).lean();
  if (facts === null) return;
  requireWhole(facts);
  if (facts.schemaVersion <= known) return;
  throw new DatabaseRefused(
    `The database was changed by a newer version of this server (its schema version is ${facts.schemaVersion}, this ` +
      `server knows ${known} and earlier): start that version, or restore a backup from before the change.`,
  );
}

/** Whether all initial data of this version is stored. Until then, a policy would be incomplete. */
export async function hasFirstData(needed = schemaVersion): Promise<boolean> {
  const facts = await DatabaseFactsModel.findOne({ _id }).lean();
  return facts !== null && facts.schemaVersion >= needed;
}

/** Gives the database an id if it has none. May reject with a duplicate key if another process is faster. */
export async function ensureDatabaseFacts(): Promise<void> {
  if ((await DatabaseFactsModel.findOne({ _id }).lean()) !== null) return;
  const facts = { _id, databaseId: randomUUID(), schemaVersion: 1, madeAt: new Date() };
  await DatabaseFactsModel.insertMany([facts]);
}

/** Stores that all steps are done. Older versions then refuse to start. */
export async function raiseSchemaVersion(to = schemaVersion): Promise<void> {
  await inDatabase(() =>
    DatabaseFactsModel.updateOne({ _id, schemaVersion: { $lt: to } }, { $set: { schemaVersion: to } }),
  );
}

/** The database's id (null: none yet) and those it replaced. Throws DatabaseRefused for an incomplete restore or import. */
export async function readDatabaseFacts() {
  const facts = await inDatabase(() => DatabaseFactsModel.findOne({ _id }).lean());
  if (facts !== null) requireWhole(facts);
  const { databaseId = null, succeeds, madeAt = null } = facts ?? {};
  return { databaseId, succeeds: succeeds ?? [], madeAt: madeAt && madeAt.getTime() };
}

export async function readIdentity() {
  return { ...(await readDatabaseFacts()), revision: await readRevision() };
}

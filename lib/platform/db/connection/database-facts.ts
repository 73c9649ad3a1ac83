import { randomUUID } from "node:crypto";
import { DatabaseRefused } from "@/lib/platform/db/connection/errors";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { readRevision } from "@/lib/platform/db/revision";

/**
 * Version of the collections' structure. Raise it with a step (`lib/exchange/seed/steps.ts`) after which the previous program
 * cannot use the data; adding collections, indexes or optional members leaves it. 1: version 0.1.0, not stored. 2: app
 * uuids compared without case, decisions about deleted apps kept.
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

/** Refuses a database of a newer version, or with half a backup or import (`exchange.md` X11, X6a): DatabaseRefused. */
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

/** Whether all first data of this version are stored; before, a policy made from what is there would lack something. */
export async function hasFirstData(needed = schemaVersion): Promise<boolean> {
  const facts = await DatabaseFactsModel.findOne({ _id }).lean();
  return facts !== null && facts.schemaVersion >= needed;
}

/** Gives the database its id when it has none. May reject with a duplicate key when another process is faster. */
export async function ensureDatabaseFacts(): Promise<void> {
  if ((await DatabaseFactsModel.findOne({ _id }).lean()) !== null) return;
  const facts = { _id, databaseId: randomUUID(), schemaVersion: 1, madeAt: new Date() };
  await DatabaseFactsModel.insertMany([facts]);
}

/** Notes that all steps are done: from now on programs that know only earlier versions do not start. */
export async function raiseSchemaVersion(to = schemaVersion): Promise<void> {
  await inDatabase(() =>
    DatabaseFactsModel.updateOne({ _id, schemaVersion: { $lt: to } }, { $set: { schemaVersion: to } }),
  );
}

/** The database's id (null: none yet) and those it replaced. Throws DatabaseRefused while it holds half a backup. */
export async function readDatabaseFacts() {
  const facts = await inDatabase(() => DatabaseFactsModel.findOne({ _id }).lean());
  if (facts !== null) requireWhole(facts);
  const { databaseId = null, succeeds, madeAt = null } = facts ?? {};
  return { databaseId, succeeds: succeeds ?? [], madeAt: madeAt && madeAt.getTime() };
}

/** Which database this is, and how far it is (`processes.md` N15a). Throws as `readDatabaseFacts`. */
export async function readIdentity() {
  return { ...(await readDatabaseFacts()), revision: await readRevision() };
}

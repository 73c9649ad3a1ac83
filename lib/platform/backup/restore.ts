import { randomUUID } from "node:crypto";
import mongoose from "mongoose";
import { z } from "zod";
import type { BackupProgress } from "@/lib/platform/backup/backup-file";
import { BackupRefused, type BackupHeader } from "@/lib/platform/backup/format";
import { type BackupDocument, checkBackup, readBackup } from "@/lib/platform/backup/read";
import { listBackupCollections } from "@/lib/platform/backup/source";
import { appendEvents, readEnds } from "@/lib/platform/db/audit-trail";
import { loadAuditKey } from "@/lib/platform/secrets/own-secret";
import { prepareTrail } from "@/lib/platform/db/prepare-trail";
import { schemaVersion } from "@/lib/platform/db/connection/database-facts";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { ensureCollections } from "@/lib/platform/db/prepare";
import { nameSession } from "@/lib/platform/db/writers";
import { AccessTokenModel } from "@/models/access/access-token";
import { CounterModel } from "@/models/database/counter";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { SignInModel } from "@/models/access/sign-in";
import { RevisionModel } from "@/models/database/revision";
import { aliveSlot, RolloutModel } from "@/models/rollout";

const [factsName, revisionName, countersName] = [DatabaseFactsModel, RevisionModel, CounterModel].map(
  ({ collection }) => collection.collectionName,
);
const tokensName = AccessTokenModel.collection.collectionName;
const bookkeeping: ReadonlySet<string | undefined> = new Set([factsName, revisionName, countersName]);
/** Written last, in this order: until then, no server uses the database. */
const last: readonly (string | undefined)[] = [revisionName, factsName];
const batchDocuments = 500;

/** A collection without the gate (`gate.md` W1). Only for a database marked as incomplete, which no server uses. */
export function ungatedCollection(name: string) {
  const { db } = mongoose.connection;
  if (db === undefined) throw new Error("there is no database");
  return db.collection(name);
}

export async function requireRestorable(file: string): Promise<BackupHeader> {
  const header = await checkBackup(file);
  if (header.schemaVersion > schemaVersion) {
    throw new BackupRefused(
      `The backup was written by version ${header.version}, whose schema version is ${header.schemaVersion}; this version ` +
        `knows ${schemaVersion} and earlier: restore it with version ${header.version} or a later one`,
    );
  }
  const known = new Set(listBackupCollections());
  const unknown = Object.keys(header.collections).filter((name) => !known.has(name));
  if (unknown.length > 0) {
    throw new BackupRefused(
      `The backup holds collections that this version does not know (${unknown.join(", ")}): restore it with version ` +
        `${header.version} or a later one`,
    );
  }
  return header;
}

/** What the connected database contains. `isHalf`: a restore was interrupted; `isHalfImported`: an import was. */
export async function findContent(): Promise<{
  readonly documents: number;
  readonly isHalf: boolean;
  readonly isHalfImported: boolean;
}> {
  return inDatabase(async () => {
    let documents = 0;
    for (const name of listBackupCollections()) {
      if (!bookkeeping.has(name)) documents += await ungatedCollection(name).countDocuments();
    }
    const facts = await DatabaseFactsModel.findOne({}).lean();
    const isHalfImported = Boolean(facts?.importingSince);
    return { documents, isHalf: Boolean(facts?.restoringSince), isHalfImported };
  });
}

export interface Replaced {
  readonly head: string | null;
  /** Its id, and those of the databases that it replaced. */
  readonly ids: readonly string[];
}

export async function findReplaced(): Promise<Replaced> {
  return inDatabase(async () => ({
    head: (await readEnds(null, loadAuditKey())).head,
    ids: listIds(await DatabaseFactsModel.findOne({}).lean()),
  }));
}

/** Backups of earlier versions lack it. */
const keySealed = z.object({ auditKeyId: z.string().nullish() });
const lineage = z.object({ databaseId: z.string(), succeeds: z.array(z.string()).optional() });

function listIds(facts: unknown): readonly string[] {
  const { data } = lineage.safeParse(facts);
  return data === undefined ? [] : [data.databaseId, ...(data.succeeds ?? [])];
}

/**
 * Replaces the content of the connected database with a backup (`exchange.md` X11). That does not fit into one
 * transaction, so the first write sets a mark and the last one removes it: in between, every server refuses the
 * database, and the same command can run again. The database gets a new id and lists those that it replaces
 * (`processes.md` N15a). API tokens are restored as expired, sessions not at all (`gate.md` W13), a rollout
 * where it was (`fleet.md` S14). Another key's audit trail is sealed again (W11a). Throws BackupRefused if the file has
 * changed in the meantime; DatabaseUnavailable.
 */
export async function restoreDocuments(
  file: string,
  header: BackupHeader,
  replaced: Replaced,
  told: (progress: BackupProgress) => void = () => undefined,
): Promise<void> {
  const of = Object.values(header.collections).reduce((sum, count) => sum + count, 0);
  await inDatabase(async () => {
    await ensureCollections();
    await markUnfinished(header);
    await clearCollections(last);
    const kept = new Map<string, object>();
    let documents = 0;
    let batch: BackupDocument[] = [];
    const flush = async () => {
      const [first] = batch;
      if (first === undefined) return;
      await ungatedCollection(first.collection).insertMany(batch.map(({ document }) => document));
      if (first.collection === tokensName) await endTokens();
      batch = [];
      told({ documents, of });
    };
    for await (const one of readBackup(file)) {
      documents += 1;
      if (last.includes(one.collection)) {
        kept.set(one.collection, one.document);
        continue;
      }
      if (batch.length >= batchDocuments || batch[0]?.collection !== one.collection) await flush();
      batch.push(one);
    }
    await flush();
    await continueStep(header);
    await requireCounts(header);
    const { auditKeyId = null } =
      keySealed.safeParse(kept.get(DatabaseFactsModel.collection.collectionName)).data ?? {};
    await DatabaseFactsModel.updateOne({ _id: "database" }, { $set: { auditKeyId } });
    const sealedBy = await prepareTrail(auditKeyId, auditKeyId ?? "unknown");
    await noteRestore(header, replaced.head);
    await finish(kept, replaced.ids, sealedBy);
    told({ documents: of, of });
  });
}

/** Removes everything but `kept`, bypassing the gate: only for a database marked as incomplete. */
export async function clearCollections(kept: readonly (string | undefined)[]): Promise<void> {
  for (const name of listBackupCollections()) {
    if (!kept.includes(name)) await ungatedCollection(name).deleteMany({});
  }
  await SignInModel.collection.deleteMany({});
}

async function markUnfinished(header: BackupHeader): Promise<void> {
  const made = { databaseId: randomUUID(), schemaVersion: header.schemaVersion, madeAt: new Date() };
  await DatabaseFactsModel.updateOne(
    { _id: "database" },
    { $set: { restoringSince: new Date() }, $setOnInsert: made },
    { upsert: true },
  );
}

/** Otherwise tokens that were revoked after the backup would work again. */
async function endTokens(): Promise<void> {
  const now = new Date();
  await ungatedCollection(tokensName).updateMany(
    { $or: [{ expiresAt: null }, { expiresAt: { $gt: now } }] },
    { $set: { expiresAt: now } },
  );
}

/** The time since the backup is no part of a step; it would be over, and more cars would get the release at once. */
async function continueStep({ at }: BackupHeader): Promise<void> {
  const running = await RolloutModel.findOne({ slot: aliveSlot, state: "running" }).lean();
  if (running === null) return;
  const since = Math.max(0, Date.now() - Date.parse(at));
  const stepSince = new Date(running.stepSince.getTime() + since);
  await ungatedCollection(RolloutModel.collection.collectionName).updateOne(
    { slot: aliveSlot },
    { $set: { stepSince } },
  );
}

async function noteRestore({ at, revision, version }: BackupHeader, replacedHead: string | null): Promise<void> {
  await mongoose.connection.transaction(async (session) => {
    await nameSession(session);
    const restored = await readEnds(session, loadAuditKey());
    const heads = { restored_head: restored.head, replaced_head: replacedHead };
    const context = { actor: "setup", route: "open-policy restore", requestId: null };
    const who = { personId: null, displayName: null, isNameVerified: false };
    const what = { action: "backups.restore", target: "database", before: null, after: { at, version, ...heads } };
    await appendEvents(session, [{ at: new Date(), revision, ...context, ...who, ...what }]);
  });
}

async function requireCounts({ collections }: BackupHeader): Promise<void> {
  for (const [name, count] of Object.entries(collections)) {
    if (last.includes(name)) continue;
    const found = await ungatedCollection(name).countDocuments();
    if (found !== count) throw new Error(`${found} of ${count} documents of ${name} are stored`);
  }
}

async function finish(
  kept: ReadonlyMap<string, object>,
  replaced: readonly string[],
  auditKeyId: string,
): Promise<void> {
  for (const name of last) {
    if (name === undefined) continue;
    const document = kept.get(name);
    await ungatedCollection(name).deleteMany(name === factsName ? { _id: { $ne: "database" } as object } : {});
    if (document === undefined) continue;
    if (name !== factsName) {
      await ungatedCollection(name).insertOne(document);
      continue;
    }
    // One write removes the mark: before it nothing counts, after it everything.
    const succeeds = [...new Set([...listIds(document), ...replaced])];
    const facts = {
      ...document,
      databaseId: randomUUID(),
      madeAt: new Date(),
      succeeds,
      restoringSince: null,
      auditKeyId,
    };
    await ungatedCollection(name).replaceOne({ _id: "database" } as object, facts);
  }
}

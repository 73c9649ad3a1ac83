import { hmac, keepHead, knownHead, noteHead, readKeptHead } from "@/lib/platform/db/audit-head";
import { chainAsFound, hashEvent, isAsLeft, ofEarlierVersion, readEnds, saveEnds } from "@/lib/platform/db/audit-trail";
import { DatabaseRefused } from "@/lib/platform/db/connection/errors";
import { rawCollection } from "@/lib/platform/db/connection/connect";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { log } from "@/lib/platform/log";
import { loadAuditKey, loadGivenUpKey } from "@/lib/platform/secrets/own-secret";
import { readRevision } from "@/lib/platform/db/revision";
import { AuditEventModel } from "@/models/audit-event";
import { DatabaseFactsModel } from "@/models/database/database-facts";
import { ReleaseModel } from "@/models/release";

const database = { _id: "database" } as const;
const setup: WriteContext = { actor: "setup", route: "audit trail", requestId: null };
const perBatch = 500;

/** Names a key without telling it. */
const idOf = (key: string) => hmac(key, "audit key").slice(0, 16);

/**
 * Prepares the audit trail at each start (`gate.md` W11): seals one that is not sealed, and logs one that does not end
 * where this server has left it. `stored`: id of the key that sealed it, null: unknown; `givenUp`: id of a key that
 * does not count any more. Returns the id of this server's key, to be stored with the database. Throws DatabaseRefused
 * if another key has sealed it, unless `ACCEPT_AUDIT_KEY` gives that key up.
 */
export async function prepareTrail(stored: string | null, givenUp = loadGivenUpKey()): Promise<string> {
  const key = loadAuditKey();
  const ours = idOf(key);
  const ends = await readEnds(null, key);
  if (stored === null ? await isOfOther(key, ends) : stored !== ours) {
    const lost = stored ?? "unknown";
    if (givenUp !== lost) throw new DatabaseRefused(otherKey(lost));
    await sealAsFound(key, stored, `the key ${lost} was given up`);
  } else if (stored === null) {
    const isKept = (knownHead()?.head ?? null) !== null;
    const isFirst = !ends.isThere && !isKept && (ends.last > 0 || !(await hasHistory()));
    if (isFirst) await sealAsFound(key, stored, ofEarlierVersion);
    await DatabaseFactsModel.updateOne({ ...database, auditKeyId: null }, { $set: { auditKeyId: ours } });
    // Of two servers that start at once with different keys, one is too late.
    const now = (await DatabaseFactsModel.findOne(database).lean())?.auditKeyId ?? ours;
    if (now !== ours) throw new DatabaseRefused(otherKey(now));
  }
  if (!(await isAsLeft(null, await readEnds(null, key)))) {
    log.error("the audit trail is not as this server has left it: GET /api/v1/audit/verify tells where");
  }
  return ours;
}

/** Keeps the trail's end in `DATA_DIR/audit-head` (`gate.md` W11). Call it before the first write to the database. */
export async function keepTrailHead(
  dataDir: string,
  { databaseId, succeeds }: { readonly databaseId: string | null; readonly succeeds: readonly string[] },
): Promise<void> {
  if (databaseId === null || knownHead()?.databaseId === databaseId) return;
  const key = loadAuditKey();
  const kept = await readKeptHead(dataDir, key);
  const isOfReplaced = kept !== null && succeeds.includes(kept.databaseId);
  const isExpected =
    kept?.databaseId === databaseId || (isOfReplaced && !(await AuditEventModel.exists({ action: "backups.restore" })));
  if (kept !== null && isExpected) {
    keepHead({ dataDir, key }, { ...kept, databaseId });
    return;
  }
  const { isSealed, last, head } = await readEnds(null, key);
  keepHead({ dataDir, key }, { databaseId, last: 0, head: null });
  if (isSealed && head !== null) noteHead(last, head);
}

const otherKey = (lost: string) =>
  `The audit trail in the database was sealed with another AUDIT_KEY than this server's. Set the AUDIT_KEY of the servers that ` +
  `use this database, or bring back DATA_DIR/audit-key. If that key is lost, ACCEPT_AUDIT_KEY=${lost} seals the trail as it is now.`;

async function isOfOther(
  key: string,
  { isThere, isSealed, last }: Awaited<ReturnType<typeof readEnds>>,
): Promise<boolean> {
  if (!isThere || isSealed) return false;
  const newest = await AuditEventModel.findById(last).lean();
  return typeof newest?.hash === "string" && hashEvent(newest, key) !== newest.hash;
}

async function hasHistory(): Promise<boolean> {
  return (await readRevision()) > 0 || (await ReleaseModel.exists({ _id: { $gt: 0 } })) !== null;
}

/** Chains all stored events as they are, and says so in an event. A crash leaves nothing that counts. */
async function sealAsFound(key: string, stored: string | null, reason: string): Promise<void> {
  const events = rawCollection(AuditEventModel);
  let end = { first: 0, last: 0, count: 0, head: null as string | null };
  const chain = async (session?: WriteSession) => {
    for (;;) {
      const options = session === undefined ? {} : { session };
      const found = await events
        .find({ _id: { $gt: end.last } }, options)
        .sort({ _id: 1 })
        .limit(perBatch)
        .toArray();
      const [first, last] = [found[0]?._id, found.at(-1)?._id];
      if (first === undefined || last === undefined) return;
      const { updates, head } = chainAsFound(found, end.head, key);
      await events.bulkWrite(updates, options);
      end = { first: end.first || first, last, count: end.count + found.length, head };
    }
  };
  await chain();
  const chained = end;
  await inTransaction(setup, async (tx) => {
    tx.keepRevision();
    end = chained;
    const facts = await DatabaseFactsModel.findOne(database).session(tx.session).lean();
    if ((facts?.auditKeyId ?? null) !== stored) return;
    // Events of instances of the earlier version that still run.
    await chain(tx.session);
    const { first, count: event_count, last, head } = end;
    await saveEnds(tx.session, { first: first || 1, last, head, brokenAt: null }, key);
    await DatabaseFactsModel.updateOne(database, { $set: { auditKeyId: idOf(key) } }, { session: tx.session });
    if (event_count === 0) return;
    tx.record({
      action: "audit.seal",
      target: "audit",
      after: { reason, event_count, first_id: first, last_id: last, head },
    });
  });
  if (chained.count > 0) log.warn({ events: chained.count, reason }, "the audit trail was sealed as it was found");
}

type WriteSession = Parameters<Parameters<typeof inTransaction>[1]>[0]["session"];

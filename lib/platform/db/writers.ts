"one per process";

import { UUID, WriteConcern } from "mongodb";
import mongoose, { type ClientSession } from "mongoose";
import { type Clock, realClock } from "@/lib/platform/db/clock";
import { isBeside, isGone, processIdentity } from "@/lib/platform/db/connection/process-identity";
import { log } from "@/lib/platform/log";
import { LockModel, type LockRecord } from "@/models/database/lock";

// MongoDB keeps a killed client's transaction for a minute, and it blocks the revision. So each process lists its
// sessions in `locks` (`processes.md` N20), and a process blocked by a dead one ends them.

const beatMs = 500;
/** A process without a heartbeat for this long is dead. One that exists on this machine may just be busy, or stopped. */
const silentMs = { elsewhere: 1_500, beside: 10_000 };
const recordMs = 86_400_000;
/** Transactions of a process take turns, but an abandoned one may still be ending when the next one begins. */
const maxNamed = 8;

const own = {
  named: [] as readonly string[],
  renewAt: -Infinity,
  isFirst: true,
};

const recordOf = (identity: string) => `writer;${identity}`;

export async function nameSession(session: ClientSession): Promise<void> {
  if (session.id === undefined) return;
  const name = session.id.id.toUUID().toString();
  if (own.named.includes(name) && Date.now() < own.renewAt) return;
  own.named = [name, ...own.named.filter((other) => other !== name)].slice(0, maxNamed);
  own.renewAt = -Infinity;
  const before = await saveRecord();
  own.renewAt = Date.now() + recordMs / 2;
  // In a restarted container, the previous process had the same PID.
  if (own.isFirst && before !== null) await endSessions(before);
  own.isFirst = false;
}

/** A heartbeat that a crash loses proves nothing. On a slow disk, saves must not stand behind it (`processes.md` N20). */
const unjournaled = new WriteConcern(1, undefined, false);

function saveRecord(): Promise<LockRecord | null> {
  const record = { owner: processIdentity, expiresAt: new Date(Date.now() + recordMs), sessions: own.named };
  return LockModel.findOneAndUpdate(
    { _id: recordOf(processIdentity) },
    { $set: record, $inc: { beat: 1 } },
    { upsert: true, returnDocument: "before", writeConcern: unjournaled },
  ).lean();
}

/** Sends heartbeats until `end`, so that others know this one lives. `begin` ends dead transactions before a retry. */
export function beginAttempts(clock: Clock = realClock) {
  const endDeadWriters = watchDeadWriters(clock);
  let isFirst = true;
  const end = clock.every(beatMs, () => {
    saveRecord().catch(() => undefined);
  });
  const begin = async (session: ClientSession) => {
    if (!isFirst) await endDeadWriters();
    isFirst = false;
    await nameSession(session);
  };
  return { begin, end };
}

/** For a transaction that others block. Call the result at each retry: it ends transactions of dead processes. */
export function watchDeadWriters(clock: Clock = realClock): () => Promise<void> {
  const seen = new Map<string, { readonly beat: number; readonly since: number }>();
  return async () => {
    const now = clock.elapsed();
    for (const writer of await LockModel.find({ _id: { $gte: recordOf(""), $lt: "writer<" } }).lean()) {
      const { _id: id, owner, expiresAt } = writer;
      const beat = writer.beat ?? 0;
      if (owner === processIdentity) continue;
      const before = seen.get(id);
      const since = before?.beat === beat ? before.since : now;
      const isSilent = now - since >= (isBeside(owner) ? silentMs.beside : silentMs.elsewhere);
      seen.set(id, { beat, since: isSilent ? Infinity : since });
      const isLeft = isGone(owner) || expiresAt.getTime() < clock.now();
      if (isLeft || isSilent) await endSessions(writer);
      // A process that is only silent may continue, and relies on its record.
      if (isLeft) await LockModel.deleteOne({ _id: id, beat });
    }
  };
}

/** Ends the transactions of a process whose lock is taken over, so that its late writes are not stored. */
export async function endWriter(identity: string): Promise<void> {
  if (identity === processIdentity) return;
  const writer = await LockModel.findOne({ _id: recordOf(identity) }).lean();
  if (writer !== null) await endSessions(writer);
}

/** Database users may end their own sessions without a privilege. The session can be used again. */
async function endSessions({ owner, sessions }: LockRecord): Promise<void> {
  // An empty list would mean all sessions of the user.
  if (!sessions || sessions.length === 0) return;
  try {
    const killSessions = sessions.map((name) => ({ id: new UUID(name) }));
    await mongoose.connection.getClient().db("admin").command({ killSessions });
    log.info({ holder: owner }, "ended transactions that a dead or stuck process left open in the database");
  } catch (error) {
    log.error(
      { err: error, holder: owner },
      "cannot end the transactions of a process that died: they last up to 60 s",
    );
  }
}

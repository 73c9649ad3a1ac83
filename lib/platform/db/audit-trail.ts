import type { ClientSession } from "mongoose";
import { hashEvent, isSealed, sealEnds, type TrailEnds } from "@/lib/platform/db/audit-hash";
import { allotCounter } from "@/lib/platform/db/counters";
import { log } from "@/lib/platform/log";
import { loadAuditKey } from "@/lib/platform/secrets/audit-key";
import { processGlobal } from "@/lib/platform/process-globals";
import { AuditEventModel } from "@/models/audit-event";
import { CounterModel } from "@/models/database/counter";

const counter = "audit_events";

export interface StoredEnds extends TrailEnds {
  readonly isSealed: boolean;
}

/** Reads the ends of the trail; null: no event was ever written. */
export async function readEnds(session: ClientSession | null, key: string): Promise<StoredEnds | null> {
  const found = await CounterModel.findOne({ _id: counter }).session(session).lean();
  return found === null || found.value === 0 ? null : toEnds(found, found.value, key);
}

type Counted = Pick<Awaited<ReturnType<typeof allotCounter>>, "trail">;

function toEnds({ trail }: Counted, last: number, key: string): StoredEnds {
  const { first = 1, head = null, brokenAt = null, seal = "" } = trail ?? {};
  const ends = { first, last, head, brokenAt };
  return { ...ends, isSealed: isSealed(ends, seal, key) };
}

/**
 * Appends events in the transaction of the changes they describe. Concurrent writers collide on the trail's end, so
 * nothing comes in between. Returns the hash of the last event.
 */
export async function appendEvents(session: ClientSession, events: readonly object[]): Promise<string> {
  const key = loadAuditKey();
  const counted = await allotCounter(session, counter, events.length);
  const last = counted.value - events.length;
  const before = toEnds(counted, last, key);
  let previousHash = before.head;
  const hashed = events.map((event, index) => {
    const whole = { ...event, _id: last + 1 + index, previousHash };
    previousHash = hashEvent(whole, key);
    return { ...whole, hash: previousHash };
  });
  const isAsWritten = before.isSealed || (last === 0 && !counted.trail);
  if (!isAsWritten) log.error({ event: last + 1 }, "the audit trail does not end where this server has written last");
  const brokenAt = before.brokenAt ?? (isAsWritten ? null : last + 1);
  // Plain documents, all members given: hydrating them would cost more than all the rest of a large transaction.
  await AuditEventModel.insertMany(hashed, { session, lean: true });
  await saveEnds(session, { ...before, last: counted.value, head: previousHash, brokenAt }, key);
  return previousHash ?? "";
}

/** Notes that the trail now begins at `first`, because older events were removed. */
export async function cutTrail(session: ClientSession, first: number): Promise<void> {
  const key = loadAuditKey();
  const ends = await readEnds(session, key);
  if (ends?.isSealed === true) await saveEnds(session, { ...ends, first }, key);
}

async function saveEnds(session: ClientSession, ends: TrailEnds, key: string): Promise<void> {
  const { first, head, brokenAt } = ends;
  const trail = { first, head, brokenAt, seal: sealEnds(ends, key) };
  await CounterModel.updateOne({ _id: counter }, { $set: { trail } }, { session });
}

const told = processGlobal("audit-head", () => ({ at: 0 }));
const hourMs = 3_600_000;

/** Logs where the trail ends, hourly and at each release: whoever keeps the log can check the trail against it. */
export function tellHead(head: string, isRelease: boolean): void {
  const now = Date.now();
  if (!isRelease && now - told.at < hourMs) return;
  told.at = now;
  log.info({ head }, "the end of the audit trail");
}

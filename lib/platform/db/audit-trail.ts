import type { ClientSession } from "mongoose";
import { allotCounter } from "@/lib/platform/db/counters";
import { log } from "@/lib/platform/log";
import { loadAuditKey } from "@/lib/platform/secrets/own-secret";
import { processGlobal } from "@/lib/platform/process-globals";
import { AuditEventModel } from "@/models/audit-event";
import { CounterModel } from "@/models/database/counter";
import { createHmac, timingSafeEqual } from "node:crypto";

const counter = "audit_events";

export interface StoredEnds extends TrailEnds {
  readonly isSealed: boolean;
}

/** Reads the ends of the trail; null: it has no events. */
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

/** Appends events in the transaction of their changes; concurrent writers conflict. Returns the last hash. */
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
  // Plain documents with all fields: hydrating them would dominate the time of a large transaction.
  await AuditEventModel.insertMany(hashed, { session, lean: true });
  await saveEnds(session, { ...before, last: counted.value, head: previousHash, brokenAt }, key);
  return previousHash ?? "";
}

/** Stores that the trail now starts at `first`, because older events were removed. */
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

/** Logs the end of the trail hourly and at each release, so that the trail can be checked against the log. */
export function tellHead(head: string, isRelease: boolean): void {
  const now = Date.now();
  if (!isRelease && now - told.at < hourMs) return;
  told.at = now;
  log.info({ head }, "the end of the audit trail");
}

/** The hash itself, and Mongoose's version field. */
const unhashed: readonly string[] = ["hash", "__v"];

/**
 * HMAC-SHA-256 of a stored audit event, over all fields but its own hash (`gate.md` W11). Fields are sorted, because a
 * database may return them in another order. The key is never in the database.
 */
export function hashEvent(event: Readonly<Record<string, unknown>>, key: string): string {
  const rest = Object.entries(event).filter(([name]) => !unhashed.includes(name));
  return hmac(key, canonical(Object.fromEntries(rest)));
}

export interface TrailEnds {
  /** Id of the first event that retention has kept; of the next one if there is none. */
  readonly first: number;
  readonly last: number;
  /** Hash of the last event; null: there was none yet. */
  readonly head: string | null;
  /** The first event before which the stored ends were not as the server wrote them; null: none. */
  readonly brokenAt: number | null;
}

/** HMAC-SHA-256 of the trail's ends: proves that the server wrote them. */
export function sealEnds({ first, last, head, brokenAt }: TrailEnds, key: string): string {
  return hmac(key, JSON.stringify(["ends", first, last, head, brokenAt]));
}

export function isSealed(ends: TrailEnds, seal: string, key: string): boolean {
  const [one, other] = [seal, sealEnds(ends, key)].map((text) => Buffer.from(text));
  return one !== undefined && other !== undefined && one.length === other.length && timingSafeEqual(one, other);
}

const hmac = (key: string, text: string) => createHmac("sha256", key).update(text, "utf8").digest("hex");

/** Serializes equal values to equal text. Lone surrogates become what a database stores for them. */
function canonical(value: unknown): string {
  if (value instanceof Date) return JSON.stringify(value.toISOString());
  if (typeof value === "string") return JSON.stringify(value.toWellFormed());
  if (Array.isArray(value)) return `[${value.map(canonical).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value ?? null);
  const members = Object.entries(value)
    .filter(([, member]) => member !== undefined)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([name, member]) => `${JSON.stringify(name.toWellFormed())}:${canonical(member)}`);
  return `{${members.join(",")}}`;
}

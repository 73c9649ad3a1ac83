"one per process";

import type { ClientSession } from "mongoose";
import { allotCounter } from "@/lib/platform/db/counters";
import { log } from "@/lib/platform/log";
import { loadAuditKey } from "@/lib/platform/secrets/own-secret";
import { hmac, type KnownHead, knownHead } from "@/lib/platform/db/audit-head";
import { AuditEventModel } from "@/models/audit-event";
import { CounterModel } from "@/models/database/counter";
import { timingSafeEqual } from "node:crypto";
import { z } from "zod";

const counter = "audit_events";

export interface StoredEnds extends TrailEnds {
  readonly isThere: boolean;
  readonly isSealed: boolean;
  readonly seal: string;
}

export async function readEnds(session: ClientSession | null, key: string): Promise<StoredEnds> {
  const found = await CounterModel.findOne({ _id: counter }).session(session).lean();
  return toEnds(found ?? {}, found?.value ?? 0, key);
}

/**
 * Whether the trail ends where the server has left it (`gate.md` W11). The first start gives it ends, so that a missing
 * one is never a new one. `known`: what the server has kept beside the database; null: nothing.
 */
export async function isAsLeft(
  session: ClientSession | null,
  ends: StoredEnds,
  known: KnownHead | null = knownHead(),
): Promise<boolean> {
  if (!ends.isSealed) return false;
  if (known === null || known.last < ends.first) return true;
  if (known.last >= ends.last) return known.last === ends.last && known.head === ends.head;
  // Another instance has written since, and may have summed it up.
  const event = await AuditEventModel.findOne({ _id: { $gte: known.last } })
    .session(session)
    .sort({ _id: 1 })
    .lean();
  return event?._id === known.last
    ? event.hash === known.head
    : event?.summary?.hashes.includes(known.head ?? "") === true;
}

type Counted = Partial<Pick<Awaited<ReturnType<typeof allotCounter>>, "trail">>;

function toEnds({ trail }: Counted, last: number, key: string): StoredEnds {
  const { first = 1, head = null, brokenAt = null, seal = "" } = trail ?? {};
  const ends = { first, last, head, brokenAt };
  return { ...ends, isThere: Boolean(trail), isSealed: isSealed(ends, seal, key), seal };
}

export interface Head {
  readonly last: number;
  readonly head: string;
}

/** Appends events in the transaction of their changes; concurrent writers conflict. */
export async function appendEvents(session: ClientSession, events: readonly object[]): Promise<Head> {
  const key = loadAuditKey();
  const counted = await allotCounter(session, counter, events.length);
  const last = counted.value - events.length;
  const ends = toEnds(counted, last, key);
  const late = ends.isThere && !ends.isSealed ? await chainLate(session, ends, key) : null;
  if (late !== null) await allotCounter(session, counter, 1);
  const before = late?.ends ?? ends;
  const all = late === null ? events : [{ ...events[0], ...late.event }, ...events];
  let previousHash = before.head;
  const hashed = all.map((event, index) => {
    const whole = { ...event, _id: last + 1 + index, previousHash };
    previousHash = hashEvent(whole, key);
    return { ...whole, hash: previousHash };
  });
  const isAsWritten = await isAsLeft(session, before);
  if (!isAsWritten) log.error({ event: last + 1 }, "the audit trail does not end where this server has written last");
  const brokenAt = before.brokenAt ?? (isAsWritten ? null : last + 1);
  // Plain documents with all fields: hydrating them would dominate the time of a large transaction.
  await AuditEventModel.insertMany(hashed, { session, lean: true });
  await saveEnds(session, { ...before, last: last + all.length, head: previousHash, brokenAt }, key);
  return { last: last + all.length, head: previousHash ?? "" };
}

export const ofEarlierVersion = "a version that does not seal wrote it";
/** How long instances of an earlier version may write beside the first one that seals (`operations.md` O7), in milliseconds. */
const overlapMs = 86_400_000;
const maxLate = 1_000;

/** Members that events of earlier versions lack; an export contains them, too. */
const absent = { personId: null, displayName: null, isNameVerified: false, requestId: null, before: null, after: null };

export function chainAsFound(events: readonly { readonly _id: number }[], previousHash: string | null, key: string) {
  let head = previousHash;
  const updates = events.map((event) => {
    const whole = { ...absent, ...event, previousHash: head };
    head = hashEvent(whole, key);
    return { updateOne: { filter: { _id: event._id }, update: { $set: { ...whole, hash: head } } } };
  });
  return { updates, head };
}

/** Chains what an earlier version wrote behind the sealed end (`gate.md` W11a); null if there is nothing. */
async function chainLate(session: ClientSession, ends: StoredEnds, key: string) {
  const behind = { _id: { $gt: ends.last - maxLate, $lte: ends.last }, hash: null };
  const found = await AuditEventModel.find(behind).session(session).sort({ _id: 1 }).lean();
  const first = found[0]?._id ?? 0;
  if (found.length === 0 || found.length !== ends.last - first + 1) return null;
  if (!isSealed({ ...ends, last: first - 1 }, ends.seal, key)) return null;
  const sealing = await AuditEventModel.findOne({ target: "audit", action: "audit.seal" }).session(session).lean();
  if (sealing === null || hashEvent(sealing, key) !== sealing.hash || sealing.at.getTime() < Date.now() - overlapMs)
    return null;
  const { updates, head } = chainAsFound(found, ends.head, key);
  await AuditEventModel.collection.bulkWrite(updates as never, { session });
  const who = {
    actor: "setup",
    personId: null,
    displayName: null,
    isNameVerified: false,
    route: "audit trail",
    requestId: null,
  };
  const after = { reason: ofEarlierVersion, event_count: found.length, first_id: first, last_id: ends.last };
  const event = { ...who, action: "audit.seal", target: "audit", before: null, after };
  return { ends: { ...ends, head, isSealed: true }, event };
}

export async function cutTrail(session: ClientSession, first: number): Promise<void> {
  const key = loadAuditKey();
  const ends = await readEnds(session, key);
  if (ends.isSealed) await saveEnds(session, { ...ends, first }, key);
}

export async function saveEnds(session: ClientSession, ends: TrailEnds, key: string): Promise<void> {
  const { first, head, brokenAt } = ends;
  const trail = { first, head, brokenAt, seal: sealEnds(ends, key) };
  await CounterModel.updateOne({ _id: counter }, { $set: { trail } }, { session });
}

let reportedAt = 0;
const hourMs = 3_600_000;

/** Logs the end of the trail hourly and at each release, so that the trail can be checked against the log. */
export function reportHead(head: string, isRelease: boolean): void {
  const now = Date.now();
  if (!isRelease && now - reportedAt < hourMs) return;
  reportedAt = now;
  log.info({ head }, "the end of the audit trail");
}

const unhashed: readonly string[] = ["hash", "__v"];

/** HMAC-SHA-256 over all other fields (`gate.md` W11), sorted, because a database may return them in another order. */
export function hashEvent(event: Readonly<Record<string, unknown>>, key: string): string {
  const rest = Object.entries(event).filter(([name]) => !unhashed.includes(name));
  return hmac(key, canonical(Object.fromEntries(rest)));
}

export interface Summary {
  readonly first: number;
  readonly hashes: readonly string[];
  readonly seal: string;
}

export function sealSummary(
  event: Readonly<Record<string, unknown>>,
  { first, hashes }: Omit<Summary, "seal">,
  key: string,
) {
  const rest = Object.entries(event).filter(([name]) => name !== "__v" && name !== "summary");
  return hmac(key, canonical({ ...Object.fromEntries(rest), summary: { first, hashes } }));
}

/**
 * Sums up failed sign-ins that follow one another (`gate.md` W12), so that whoever fails often does not fill the disk.
 * Looks at events from `after` on, older than `before`. Returns where to go on; null at the end.
 */
export async function sumUpFailures(session: ClientSession, after: number, before: Date): Promise<number | null> {
  const key = loadAuditKey();
  const failures = { target: "login", action: "login.fail", _id: { $gt: after }, at: { $lt: before } };
  const found = await AuditEventModel.find(failures).session(session).sort({ _id: 1 }).limit(maxSummed).lean();
  const runs: (typeof found)[] = [];
  for (const event of found) {
    const run = runs.at(-1);
    const size = run?.reduce((sum, { summary }) => sum + 1 + (summary?.hashes.length ?? 0), 0) ?? 0;
    if (run?.at(-1)?._id === firstOf(event) - 1 && size < maxHashes) run.push(event);
    else runs.push([event]);
  }
  for (const run of runs) {
    const [begin, end] = [run[0], run.at(-1)];
    if (begin === undefined || end === undefined || run.length === 1) continue;
    const hashes = run.flatMap(({ summary, hash }) => [...(summary?.hashes ?? []), hash ?? ""]).slice(0, -1);
    const told = run.map(({ after: one }) => failure.safeParse(one).data);
    const count = told.reduce((sum, one) => sum + (one?.count ?? 0), 0);
    const summed = { network: null, address: null, count, since: told[0]?.since ?? null, until: end.at.toISOString() };
    const { summary: _, ...last } = end;
    const event = { ...last, after: summed, previousHash: begin.previousHash ?? null };
    const parts = { first: firstOf(begin), hashes };
    const summary = { ...parts, seal: sealSummary(event, parts, key) };
    await AuditEventModel.deleteMany({ _id: { $in: run.slice(0, -1).map(({ _id }) => _id) } }, { session });
    await AuditEventModel.collection.replaceOne({ _id: end._id as never }, { ...event, summary }, { session });
  }
  return found.length < maxSummed ? null : (runs.at(-1)?.[0]?._id ?? 1) - 1;
}

/** Events that one transaction looks at, and hashes that one summary keeps: a document has 16 MiB at most. */
const [maxSummed, maxHashes] = [500, 10_000];
const failure = z.object({ count: z.int(), since: z.string().optional() });
export const firstOf = ({
  _id,
  summary,
}: {
  readonly _id: number;
  readonly summary?: { readonly first: number } | null | undefined;
}) => summary?.first ?? _id;

export interface TrailEnds {
  /** Id of the first event that retention has kept; of the next one if there is none. */
  readonly first: number;
  readonly last: number;
  readonly head: string | null;
  /** The first event before which the stored ends were not as the server wrote them; null: none. */
  readonly brokenAt: number | null;
}

/** HMAC-SHA-256 of the trail's ends: proves that the server wrote them. */
export function sealEnds({ first, last, head, brokenAt }: TrailEnds, key: string): string {
  return hmac(key, JSON.stringify(["ends", first, last, head, brokenAt]));
}

function isSealed(ends: TrailEnds, seal: string, key: string): boolean {
  const [one, other] = [seal, sealEnds(ends, key)].map((text) => Buffer.from(text));
  return one !== undefined && other !== undefined && one.length === other.length && timingSafeEqual(one, other);
}

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

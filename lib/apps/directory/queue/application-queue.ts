import "server-only";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { gather } from "@/lib/platform/db/gather";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { isDuplicateKey } from "@/lib/platform/db/prepare";
import type { Transaction } from "@/lib/platform/db/transaction";
import { claimDue, cutReason, later } from "@/lib/apps/directory/queue/due-times";
import { within } from "@/lib/platform/async";
import { WebhookJobModel } from "@/models/directory/webhook-job";

/*
 * The durable queue of apps that are to be read again (`directory.md` section 6). Every write is one statement about
 * one document, so none of them waits for the transactions of others; what must be consistent is decided by the claim
 * of an element, which names who has it in hand. Everything here throws DatabaseUnavailable while the database is away.
 */

/** An element that somebody has in hand. */
export interface ClaimedJob {
  readonly uuid: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  /** Whether it was announced that the app is deleted. */
  readonly isDeletion: boolean;
}

/** Elements that are in hand together, under one claim. */
export interface ClaimedBatch {
  readonly claim: string;
  readonly jobs: readonly ClaimedJob[];
}

/** When an element is due again, and why it was not worked off. */
export interface Postponement {
  readonly uuid: string;
  readonly attempts: number;
  readonly dueAt: Date;
  /** Null: nothing went wrong. */
  readonly reason: string | null;
}

/** A notification is answered within 5 s, also when the database takes it and does not answer. */
const timeoutMs = 4_000;
/** Notifications stored by one statement. */
const maxTogether = 500;
const ownedBy = (claim: string, jobs: readonly { readonly uuid: string }[]) => ({
  _id: { $in: jobs.map(({ uuid }) => uuid) },
  claim,
});

interface Notification {
  readonly uuid: string;
  readonly isDeletion: boolean;
}

/**
 * Queues an app to be read at once; a waiting element is replaced (rule Q6), and whoever has it in hand loses it. When
 * this returns, the element is on disk.
 *
 * @param isDeletion it was announced that the app is deleted; the element keeps that, whatever is announced later
 */
export async function queueApplication(uuid: string, isDeletion = false): Promise<void> {
  await within(timeoutMs, queueTogether({ uuid, isDeletion }), refuseLate);
}

const queueTogether = gather(maxTogether, (notifications: readonly Notification[]) =>
  inDatabase(() => addElements(notifications)).catch((error: unknown) => {
    // Of two first notifications at once, the second finds the element of the first.
    if (!isDuplicateKey(error)) throw error;
    return inDatabase(() => addElements(notifications));
  }),
);

async function addElements(notifications: readonly Notification[]): Promise<void> {
  const fresh = { attempts: 0, dueAt: new Date(), lastError: null, claim: null };
  const deletion = { $set: { ...fresh, isDeletion: true } };
  const other = { $set: fresh, $setOnInsert: { isDeletion: false } };
  const times = new Map<string, number>();
  for (const { uuid } of notifications) times.set(uuid, (times.get(uuid) ?? 0) + 1);
  const deleted = new Set(notifications.filter(({ isDeletion }) => isDeletion).map(({ uuid }) => uuid));
  await WebhookJobModel.bulkWrite(
    Array.from(times, ([_id, deliveries]) => {
      const update = { ...(deleted.has(_id) ? deletion : other), $inc: { deliveries } };
      return { updateOne: { filter: { _id }, update, upsert: true } };
    }),
    { ordered: false, writeConcern: { w: "majority" } },
  );
}

function refuseLate(): never {
  throw new DatabaseUnavailable("The database does not answer.");
}

/**
 * Takes elements in hand that are due now, the longest due first.
 *
 * @param leaseMs how long nobody else takes them; `renewLease` when the work takes longer
 * @returns null when nothing is due; may be empty when another process was faster
 */
export function claimDueJobs(max: number, leaseMs: number): Promise<ClaimedBatch | null> {
  return inDatabase(async () => {
    const claimed = await claimDue(
      {
        find: (isDue) => WebhookJobModel.find(isDue, { _id: 1 }).sort({ dueAt: 1 }).limit(max).lean(),
        take: (due, $set) => WebhookJobModel.updateMany(due, { $set }),
      },
      leaseMs,
    );
    if (claimed === null) return null;
    const own = await WebhookJobModel.find(claimed, { attempts: 1, isDeletion: 1 }).lean();
    const jobs = own.map(({ _id, attempts, isDeletion }) => ({ uuid: _id, attempts, isDeletion }));
    return { claim: claimed.claim, jobs };
  });
}

/** Keeps a batch in hand. */
export async function renewLease({ claim, jobs }: ClaimedBatch, leaseMs: number): Promise<void> {
  const dueAt = later(leaseMs);
  await inDatabase(() => WebhookJobModel.updateMany(ownedBy(claim, jobs), { $set: { dueAt } }));
}

/** Those of the apps whose elements are still in hand, by lower-cased uuid. */
export async function findOwned({ session }: Transaction, claim: string, jobs: readonly { readonly uuid: string }[]) {
  const found = await WebhookJobModel.find(ownedBy(claim, jobs), { _id: 1 }, { session }).lean();
  return new Set(found.map(({ _id }) => _id.toLowerCase()));
}

/** Removes elements that are worked off. One that was notified again meanwhile is no longer in hand and stays. */
export async function finishJobs(claim: string, jobs: readonly { readonly uuid: string }[]): Promise<void> {
  if (jobs.length > 0) await inDatabase(() => WebhookJobModel.deleteMany(ownedBy(claim, jobs)));
}

/** Puts elements back that are still in hand. */
export async function postponeJobs(claim: string, postponed: readonly Postponement[]): Promise<void> {
  const operations = postponed.map(({ uuid, attempts, dueAt, reason }) => ({
    updateOne: {
      filter: { _id: uuid, claim },
      update: { $set: { attempts, dueAt, claim: null, lastError: cutReason(reason) } },
    },
  }));
  if (operations.length > 0) await inDatabase(() => WebhookJobModel.bulkWrite(operations, { ordered: false }));
}

/** When each waiting app was due at one moment. */
export type QueueState = ReadonlyMap<string, Date>;

/** Notes which apps wait. */
export async function loadQueueState(): Promise<QueueState> {
  const everything = { dueAt: { $gt: new Date(0) } };
  const all = await inDatabase(() => WebhookJobModel.find(everything, { dueAt: 1 }).lean());
  const state = new Map<string, Date>();
  for (const { _id, dueAt } of all) state.set(_id, dueAt);
  return state;
}

/** Removes the elements of these apps that nobody has touched since the state was noted. */
export async function removeUntouched(state: QueueState, uuids: readonly string[]): Promise<void> {
  const operations = uuids.flatMap((_id) => {
    const dueAt = state.get(_id);
    return dueAt === undefined ? [] : [{ deleteOne: { filter: { _id, dueAt } } }];
  });
  if (operations.length > 0) await inDatabase(() => WebhookJobModel.bulkWrite(operations, { ordered: false }));
}

/**
 * Queues apps whose records turned out to be malformed. One that waits already keeps its place in time.
 *
 * @returns the apps that are new in the queue
 */
export async function queueMalformed(
  malformed: readonly { readonly uuid: string; readonly reason: string }[],
  dueAt: Date,
): Promise<ReadonlySet<string>> {
  const operations = malformed.map(({ uuid, reason }) => ({
    updateOne: {
      filter: { _id: uuid },
      update: {
        $set: { lastError: cutReason(reason) },
        $setOnInsert: { attempts: 1, deliveries: 0, isDeletion: false, claim: null, dueAt },
      },
      upsert: true,
    },
  }));
  if (operations.length === 0) return new Set();
  const { upsertedIds } = await inDatabase(() => WebhookJobModel.bulkWrite(operations, { ordered: false }));
  return new Set(Object.values(upsertedIds).map(String));
}

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
 * The durable queue of apps to be read again (`directory.md` section 6). Every write is one statement on one document, so
 * none of them waits for other transactions. Consistency relies on the claim of an element, which names its current
 * worker. Everything here throws DatabaseUnavailable if the database is unreachable.
 */

/** An element that somebody has claimed. */
export interface ClaimedJob {
  readonly uuid: string;
  /** Failed attempts so far. */
  readonly attempts: number;
  /** Whether a deletion of the app was announced. */
  readonly isDeletion: boolean;
}

/** Elements claimed together. */
export interface ClaimedBatch {
  readonly claim: string;
  readonly jobs: readonly ClaimedJob[];
}

/** When to retry an element, and why it was not finished. */
export interface Postponement {
  readonly uuid: string;
  readonly attempts: number;
  readonly dueAt: Date;
  /** Null if there was no failure. */
  readonly reason: string | null;
}

/** Notifications are answered within 5 s, even if the database hangs. */
const timeoutMs = 4_000;
/** Notifications stored in one statement. */
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
 * Queues an app to be read at once. Replaces a waiting element (rule Q6), and revokes the claim of its current worker.
 * The element is on disk once this resolves.
 *
 * @param isDeletion a deletion of the app was announced; later notifications do not clear this
 */
export async function queueApplication(uuid: string, isDeletion = false): Promise<void> {
  await within(timeoutMs, queueTogether({ uuid, isDeletion }), refuseLate);
}

const queueTogether = gather(maxTogether, (notifications: readonly Notification[]) =>
  inDatabase(() => addElements(notifications)).catch((error: unknown) => {
    // Of two simultaneous first notifications, the second finds the element of the first.
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
 * Claims elements that are due, longest overdue first.
 *
 * @param leaseMs how long the claim lasts; use `renewLease` for longer work
 * @returns null if nothing is due; may be empty if another process was faster
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

/** Extends the claim on a batch. */
export async function renewLease({ claim, jobs }: ClaimedBatch, leaseMs: number): Promise<void> {
  const dueAt = later(leaseMs);
  await inDatabase(() => WebhookJobModel.updateMany(ownedBy(claim, jobs), { $set: { dueAt } }));
}

/** The apps whose elements are still claimed by this claim, by lower-case uuid. */
export async function findOwned({ session }: Transaction, claim: string, jobs: readonly { readonly uuid: string }[]) {
  const found = await WebhookJobModel.find(ownedBy(claim, jobs), { _id: 1 }, { session }).lean();
  return new Set(found.map(({ _id }) => _id.toLowerCase()));
}

/** Removes finished elements. An element that was notified again is no longer claimed and stays. */
export async function finishJobs(claim: string, jobs: readonly { readonly uuid: string }[]): Promise<void> {
  if (jobs.length > 0) await inDatabase(() => WebhookJobModel.deleteMany(ownedBy(claim, jobs)));
}

/** Postpones elements that are still claimed. */
export async function postponeJobs(claim: string, postponed: readonly Postponement[]): Promise<void> {
  const operations = postponed.map(({ uuid, attempts, dueAt, reason }) => ({
    updateOne: {
      filter: { _id: uuid, claim },
      update: { $set: { attempts, dueAt, claim: null, lastError: cutReason(reason) } },
    },
  }));
  if (operations.length > 0) await inDatabase(() => WebhookJobModel.bulkWrite(operations, { ordered: false }));
}

/** When each waiting app was due at a certain time. */
export type QueueState = ReadonlyMap<string, Date>;

/** Notes which apps are waiting. */
export async function loadQueueState(): Promise<QueueState> {
  const everything = { dueAt: { $gt: new Date(0) } };
  const all = await inDatabase(() => WebhookJobModel.find(everything, { dueAt: 1 }).lean());
  const state = new Map<string, Date>();
  for (const { _id, dueAt } of all) state.set(_id, dueAt);
  return state;
}

/** Removes the elements of these apps that have not changed since the state was noted. */
export async function removeUntouched(state: QueueState, uuids: readonly string[]): Promise<void> {
  const operations = uuids.flatMap((_id) => {
    const dueAt = state.get(_id);
    return dueAt === undefined ? [] : [{ deleteOne: { filter: { _id, dueAt } } }];
  });
  if (operations.length > 0) await inDatabase(() => WebhookJobModel.bulkWrite(operations, { ordered: false }));
}

/**
 * Queues apps with malformed records. An app that is already waiting keeps its time.
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

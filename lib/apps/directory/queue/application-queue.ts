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
 * The durable queue of `directory.md` section 6. Every write is one statement on one document, so that none waits for
 * other transactions. Consistency relies on the claim of an element, which names its current worker.
 */

export interface ClaimedJob {
  readonly uuid: string;
  readonly attempts: number;
  readonly isDeletion: boolean;
}

export interface ClaimedBatch {
  readonly claim: string;
  readonly jobs: readonly ClaimedJob[];
}

export interface Postponement {
  readonly uuid: string;
  readonly attempts: number;
  readonly dueAt: Date;
  /** Null: no failure. */
  readonly reason: string | null;
}

/** Notifications are answered within 5 s, even if the database hangs. */
const timeoutMs = 4_000;
const maxTogether = 500;
const ownedBy = (claim: string, jobs: readonly { readonly uuid: string }[]) => ({
  _id: { $in: jobs.map(({ uuid }) => uuid) },
  claim,
});

interface Notification {
  readonly uuid: string;
  readonly isDeletion: boolean;
}

/** Replaces a waiting element (rule Q6) and revokes its claim; on disk once this resolves. `isDeletion` stays set. */
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

/** Null if nothing is due; may be empty if another process was faster. `renewLease` extends the claim. */
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

export async function renewLease({ claim, jobs }: ClaimedBatch, leaseMs: number): Promise<void> {
  const dueAt = later(leaseMs);
  await inDatabase(() => WebhookJobModel.updateMany(ownedBy(claim, jobs), { $set: { dueAt } }));
}

/** By lower-case uuid. */
export async function findOwned({ session }: Transaction, claim: string, jobs: readonly { readonly uuid: string }[]) {
  const found = await WebhookJobModel.find(ownedBy(claim, jobs), { _id: 1 }, { session }).lean();
  return new Set(found.map(({ _id }) => _id.toLowerCase()));
}

/** An element that was notified again is no longer claimed and stays. */
export async function finishJobs(claim: string, jobs: readonly { readonly uuid: string }[]): Promise<void> {
  if (jobs.length > 0) await inDatabase(() => WebhookJobModel.deleteMany(ownedBy(claim, jobs)));
}

export async function postponeJobs(claim: string, postponed: readonly Postponement[]): Promise<void> {
  const operations = postponed.map(({ uuid, attempts, dueAt, reason }) => ({
    updateOne: {
      filter: { _id: uuid, claim },
      update: { $set: { attempts, dueAt, claim: null, lastError: cutReason(reason) } },
    },
  }));
  if (operations.length > 0) await inDatabase(() => WebhookJobModel.bulkWrite(operations, { ordered: false }));
}

export type QueueState = ReadonlyMap<string, Date>;

export async function loadQueueState(): Promise<QueueState> {
  const everything = { dueAt: { $gt: new Date(0) } };
  const all = await inDatabase(() => WebhookJobModel.find(everything, { dueAt: 1 }).lean());
  const state = new Map<string, Date>();
  for (const { _id, dueAt } of all) state.set(_id, dueAt);
  return state;
}

/** Keeps apps that have changed since the state was noted. */
export async function removeUntouched(state: QueueState, uuids: readonly string[]): Promise<void> {
  const operations = uuids.flatMap((_id) => {
    const dueAt = state.get(_id);
    return dueAt === undefined ? [] : [{ deleteOne: { filter: { _id, dueAt } } }];
  });
  if (operations.length > 0) await inDatabase(() => WebhookJobModel.bulkWrite(operations, { ordered: false }));
}

/** An app that is already waiting keeps its time. Returns the apps that are new in the queue. */
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

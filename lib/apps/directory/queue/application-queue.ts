import "server-only";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { gather } from "@/lib/platform/db/gather";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { isDuplicateKey } from "@/lib/platform/db/prepare";
import type { Transaction } from "@/lib/platform/db/transaction";
import { type Batch, JobQueue, cutReason, ownedBy } from "@/lib/jobs/queue";
import { within } from "@/lib/platform/async";
import { WebhookJobModel, type WebhookJobRecord } from "@/models/directory/webhook-job";

/** The name of the worker of this queue. */
export const applicationJobs = "application jobs";

/** Milliseconds to the next attempt after the first, second, … failure; the last value repeats (rule Q2). */
export const retryDelays: readonly number[] = [5, 25, 125, 240].map((minutes) => minutes * 60_000);

/** `directory.md` section 6. */
export const applicationQueue = new JobQueue<WebhookJobRecord>(WebhookJobModel, (owned) =>
  WebhookJobModel.find(owned).lean(),
);

/** Notifications are answered within 5 s, even if the database hangs. */
const timeoutMs = 4_000;
const maxTogether = 500;

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

/** By lower-case uuid. */
export async function findOwned({ session }: Transaction, { claim, jobs }: Batch<WebhookJobRecord>) {
  const found = await WebhookJobModel.find(ownedBy(claim, jobs), { _id: 1 }, { session }).lean();
  return new Set(found.map(({ _id }) => _id.toLowerCase()));
}

/** Null: no attempt has failed since the last notification. Undefined: the app is not in the queue (any more). */
export const findLastError = async (uuid: string) => (await readLastErrors(uuid)).get(uuid);

const readLastErrors = gather(maxTogether, (uuids: readonly string[]) =>
  inDatabase(async () => {
    const found = await WebhookJobModel.find({ _id: { $in: [...uuids] } }, { lastError: 1 }).lean();
    return new Map(found.map(({ _id, lastError }) => [_id, lastError ?? null]));
  }),
);

export type QueueState = ReadonlyMap<string, Date>;

export async function loadQueueState(): Promise<QueueState> {
  const everything = { dueAt: { $gt: new Date(0) } };
  const all = await inDatabase(() => WebhookJobModel.find(everything, { dueAt: 1 }).lean());
  return new Map(all.map(({ _id, dueAt }) => [_id, dueAt]));
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

import "server-only";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { FeedbackModel } from "@/models/directory/feedback";
import { WebhookJobModel } from "@/models/directory/webhook-job";

/** What waits in a queue. */
export interface QueueSummary {
  /** All elements. */
  readonly waiting: number;
  /** Those with a failed attempt that counts: malformed apps, decisions that do not get through. */
  readonly failing: number;
  /** When the first element is due, or was, as ISO 8601; null when nothing waits. */
  readonly nextDueAt: string | null;
  /** The failure that is the next to be tried again, also one of the network; null when there is none. */
  readonly lastError: string | null;
}

/** An app whose record cannot be used (`directory.md` rule D5). Times are ISO 8601. */
export interface MalformedApp {
  readonly uuid: string;
  readonly reason: string;
  readonly attempts: number;
  readonly nextAttemptAt: string;
}

/** A decision that the directory has not taken yet. Times are ISO 8601. */
export interface StuckFeedback {
  readonly uuid: string;
  readonly versionId: number;
  readonly approvalStatus: string;
  readonly reason: string;
  readonly attempts: number;
  readonly nextAttemptAt: string;
}

const maxShown = 50;
/** Every element is due some time: said so that the index answers. */
const all = { dueAt: { $gt: new Date(0) } };
const failing = { attempts: { $gt: 0 } };
const failed = { ...all, lastError: { $ne: null } };
const first = { dueAt: 1 } as const;
const byAttempts = { attempts: 1, dueAt: 1 } as const;

/** Apps that wait to be read again: notified ones and malformed ones. Throws DatabaseUnavailable. */
export function countWaitingJobs(): Promise<QueueSummary> {
  return inDatabase(async () => ({
    waiting: await WebhookJobModel.countDocuments(all),
    failing: await WebhookJobModel.countDocuments(failing),
    nextDueAt: (await WebhookJobModel.findOne(all, first).sort(first).lean())?.dueAt.toISOString() ?? null,
    lastError: (await WebhookJobModel.findOne(failed, { lastError: 1 }).sort(first).lean())?.lastError ?? null,
  }));
}

/** Apps whose record could not be used so far (`directory.md` rule D5). Throws DatabaseUnavailable. */
export function countUnreadableApps(): Promise<number> {
  return inDatabase(() => WebhookJobModel.countDocuments(failing));
}

/** Decisions that wait to be told. Throws DatabaseUnavailable. */
export function countWaitingFeedback(): Promise<QueueSummary> {
  return inDatabase(async () => ({
    waiting: await FeedbackModel.countDocuments(all),
    failing: await FeedbackModel.countDocuments(failing),
    nextDueAt: (await FeedbackModel.findOne(all, first).sort(first).lean())?.dueAt.toISOString() ?? null,
    lastError: (await FeedbackModel.findOne(failed, { lastError: 1 }).sort(first).lean())?.lastError ?? null,
  }));
}

/** Malformed apps, those with the fewest attempts first, at most 50. Throws DatabaseUnavailable. */
export async function listMalformedApps(): Promise<readonly MalformedApp[]> {
  const found = await inDatabase(() => WebhookJobModel.find(failing).sort(byAttempts).limit(maxShown).lean());
  return found.map(({ _id, attempts, dueAt, lastError }) => {
    return { uuid: _id, reason: lastError ?? "", attempts, nextAttemptAt: dueAt.toISOString() };
  });
}

/** Decisions that did not get through so far, those with the fewest attempts first, at most 50. Throws DatabaseUnavailable. */
export async function listStuckFeedback(): Promise<readonly StuckFeedback[]> {
  const found = await inDatabase(() => FeedbackModel.find(failing).sort(byAttempts).limit(maxShown).lean());
  return found.map(({ uuid, versionId, approvalStatus, attempts, dueAt, lastError }) => {
    const nextAttemptAt = dueAt.toISOString();
    return { uuid, versionId, approvalStatus, reason: lastError ?? "", attempts, nextAttemptAt };
  });
}

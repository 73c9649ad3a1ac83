import "server-only";
import { inDatabase, rawCollection } from "@/lib/platform/db/connection/connect";
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

/** Every element is due some time: said so that the index answers. */
const all = { dueAt: { $gt: new Date(0) } };
const failing = { attempts: { $gt: 0 } };
const failed = { ...all, lastError: { $ne: null } };
const sort = { dueAt: 1 } as const;

const summarize = (model: Parameters<typeof rawCollection>[0]): Promise<QueueSummary> =>
  inDatabase(async () => {
    const queue = rawCollection(model);
    const next = await queue.findOne(all, { projection: sort, sort });
    const unlucky = await queue.findOne(failed, { projection: { lastError: 1 }, sort });
    return {
      waiting: await queue.countDocuments(all),
      failing: await queue.countDocuments(failing),
      nextDueAt: next?.["dueAt"] instanceof Date ? next["dueAt"].toISOString() : null,
      lastError: typeof unlucky?.["lastError"] === "string" ? unlucky["lastError"] : null,
    };
  });

/** Apps that wait to be read again: notified ones and malformed ones. Throws DatabaseUnavailable. */
export const countWaitingJobs = () => summarize(WebhookJobModel);

/** Decisions that wait to be told. Throws DatabaseUnavailable. */
export const countWaitingFeedback = () => summarize(FeedbackModel);

/** Apps whose record could not be used so far (`directory.md` rule D5). Throws DatabaseUnavailable. */
export function countUnreadableApps(): Promise<number> {
  return inDatabase(() => WebhookJobModel.countDocuments(failing));
}

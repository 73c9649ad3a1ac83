import "server-only";
import { inDatabase, rawCollection } from "@/lib/platform/db/connection/connect";
import { FeedbackModel } from "@/models/directory/feedback";
import { WebhookJobModel } from "@/models/directory/webhook-job";

export interface QueueSummary {
  readonly waiting: number;
  /** Elements with a failed attempt that counts: malformed apps, decisions that cannot be delivered. */
  readonly failing: number;
  /** When the first element is or was due, ISO 8601; null if the queue is empty. */
  readonly nextDueAt: string | null;
  /** The failure that is retried next, including network failures; null if there is none. */
  readonly lastError: string | null;
}

/** Every element has a due time; the condition makes MongoDB use the index. */
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

export const countWaitingJobs = () => summarize(WebhookJobModel);

export const countWaitingFeedback = () => summarize(FeedbackModel);

/** Apps whose record has been unusable so far (`directory.md` rule D5). */
export function countUnreadableApps(): Promise<number> {
  return inDatabase(() => WebhookJobModel.countDocuments(failing));
}

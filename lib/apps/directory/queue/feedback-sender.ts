import "server-only";
import pLimit from "p-limit";
import { onRevision } from "@/lib/platform/db/revision";
import { type WriteContext, inTransaction } from "@/lib/platform/db/transaction";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { DirectoryFailed, DirectoryRefused } from "@/lib/apps/directory/client/errors";
import { readHead } from "@/lib/apps/directory/client/read-record";
import { later, retryDelay } from "@/lib/jobs/queue";
import { startWorker, type Worker, type WorkerTimes } from "@/lib/jobs/worker";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { log } from "@/lib/platform/log";
import { feedbackQueue, saveFeedbacks } from "@/lib/apps/applications/feedback";
import { ApplicationFlagsModel } from "@/models/application-flags";
import type { FeedbackRecord } from "@/models/directory/feedback";
import { ApplicationModel } from "@/models/application";

type Client = Pick<DirectoryClient, "sendApproval" | "applications">;

export interface FeedbackSenderOptions extends WorkerTimes {
  /** Null if the app directory is not available. */
  readonly client: () => Client | null;
  /** Milliseconds after the first, second, … failed attempt; the last value repeats. */
  readonly delays?: readonly number[];
  /**
   * While all apps are read, one batch is sent per poll: reports of the first synchronization would slow down storing.
   */
  readonly isReading?: () => boolean;
}

const minute = 60_000;
export const feedbackDelays = [minute, 10 * minute, 60 * minute];
const maxAtOnce = 4;

/** Statuses that may mean that the version does not exist; 401 and 403 are about the keys, and temporary. */
const aboutElement: ReadonlySet<number | null> = new Set([400, 404, 410]);

const context: WriteContext = { actor: "directory", route: "feedback", requestId: null };

/**
 * `directory.md` section 7. Reports at least once: an element leaves the queue after a response, and claims expire.
 * Commits of this process trigger a poll, so nobody has to call `wake`.
 */
export function startFeedbackSender(options: FeedbackSenderOptions): Worker {
  const { delays = feedbackDelays, isReading = () => false } = options;
  const limit = pLimit(maxAtOnce);

  async function send(client: Client, claim: string, element: FeedbackRecord): Promise<void> {
    const { uuid, versionId, approvalStatus, notes = null, blacklist } = element;
    try {
      await client.sendApproval({ uuid, version_id: versionId, approval_status: approvalStatus, notes, blacklist });
    } catch (error) {
      await refuse(client, claim, element, error);
      return;
    }
    if ((await feedbackQueue.finish(claim, [element])) === 0) await repeatFeedback(context, element);
  }

  /** Rules P4 and P5. */
  async function refuse(client: Client, claim: string, element: FeedbackRecord, error: unknown): Promise<void> {
    const { _id, uuid, versionId } = element;
    const attempts = element.attempts + 1;
    if (!(error instanceof DirectoryFailed || error instanceof DirectoryRefused)) throw error;
    const line = { uuid, version_id: versionId, attempts, reason: error.message };
    if (aboutElement.has(error.status) && (await isUnknownThere(client, element))) {
      log.error(line, "the app directory no longer has this version: the decision about it is not reported");
      await feedbackQueue.finish(claim, [element]);
      return;
    }
    const delay = retryDelay(attempts, delays);
    log.warn({ ...line, minutes: delay / minute }, "a decision could not be reported to the app directory yet");
    await feedbackQueue.postpone(claim, [{ _id, attempts, dueAt: later(delay), reason: error.message }]);
  }

  const worker = startWorker({
    ...options,
    name: "feedback",
    queue: feedbackQueue,
    ...{ perBatch: 20, maxBatches: 1, isSlow: isReading },
    end: () => forget(),
    work: async (client, { claim, jobs }, stop) => {
      const banned = { uuid: { $in: jobs.map(({ uuid }) => uuid) }, isBlacklisted: true };
      const found = await inDatabase(() => ApplicationFlagsModel.find(banned, { _id: 0, uuid: 1 }).lean());
      const blacklisted = new Set(found.map(({ uuid }) => uuid));
      await Promise.all(
        jobs.map((job) =>
          limit(async () => {
            // The next sender sends what this one did not start.
            if (!stop.aborted) await send(client, claim, { ...job, blacklist: blacklisted.has(job.uuid) });
          }),
        ),
      );
    },
  });
  const forget = onRevision(() => {
    if (!isReading()) worker.wake();
  });
  return worker;
}

/** Whether the app directory, when asked, does not list this version of the app. False if it cannot be asked. */
async function isUnknownThere(client: Client, { uuid, versionId }: FeedbackRecord): Promise<boolean> {
  try {
    const heads = (await client.applications([uuid])).map(readHead);
    return !heads.some((head) => "versionId" in head && !head.isDeleted && head.versionId === versionId);
  } catch {
    return false;
  }
}

/** The report of an older decision was in progress, and the newer one may have reached the app directory first. */
export async function repeatFeedback(
  context: WriteContext,
  { uuid, versionId }: Pick<FeedbackRecord, "uuid" | "versionId">,
): Promise<void> {
  await inTransaction(context, async (tx) => {
    tx.keepRevision();
    const { session } = tx;
    const version = await ApplicationModel.findOne({ uuid, versionId }, null, { session }).lean();
    if (version === null) return;
    const flags = await ApplicationFlagsModel.findOne({ uuid }, null, { session }).lean();
    const { approvalStatus, denialMessage: notes = null } = version;
    await saveFeedbacks(tx, [{ uuid, versionId, approvalStatus, notes, blacklist: flags?.isBlacklisted ?? false }]);
  });
}

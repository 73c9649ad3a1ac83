import "server-only";
import pLimit from "p-limit";
import { onRevision } from "@/lib/platform/db/revision";
import { type WriteContext, inTransaction } from "@/lib/platform/db/transaction";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { isDirectoryFailed, isDirectoryRefused } from "@/lib/apps/directory/client/errors";
import { startPollLoop } from "@/lib/apps/directory/queue/poll-loop";
import { readHead } from "@/lib/apps/directory/client/read-record";
import { retryDelay, claimDue, cutReason, later } from "@/lib/apps/directory/queue/due-times";
import { log } from "@/lib/platform/log";
import { within } from "@/lib/platform/async";
import { saveFeedbacks } from "@/lib/apps/applications/feedback";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/directory/feedback";

type Client = Pick<DirectoryClient, "sendApproval" | "applications">;

export interface FeedbackSenderOptions {
  /** Null if the app directory is not available; then nothing is taken from the queue. */
  readonly client: () => Client | null;
  /** Milliseconds after the first, second, … failed attempt; the last value repeats. */
  readonly delays?: readonly number[];
  /** Milliseconds; default: 1 s. */
  readonly pollMs?: number;
  readonly leaseMs?: number;
  readonly stopMs?: number;
  /**
   * While all apps are read, one batch is sent per poll: reports of the first synchronization would slow down storing.
   */
  readonly isReading?: () => boolean;
}

const minute = 60_000;
export const feedbackDelays = [minute, 10 * minute, 60 * minute];
const maxAtOnce = 4;
/** Elements claimed together: few enough to send all within the lease, however slow the app directory is. */
const perBatch = 20;

/** Statuses that may mean that the version does not exist; 401 and 403 are about the keys, and temporary. */
const aboutElement: ReadonlySet<number | null> = new Set([400, 404, 410]);

const context: WriteContext = { actor: "directory", route: "feedback", requestId: null };

/**
 * `directory.md` section 7. Reports at least once: an element leaves the queue after a response, and claims expire.
 * Commits of this process trigger a poll, so nobody has to call `soon`.
 */
export function startFeedbackSender(options: FeedbackSenderOptions) {
  const { delays = feedbackDelays, pollMs = 1_000, leaseMs = 60_000, stopMs = 5_000 } = options;
  const isReading = options.isReading ?? (() => false);
  let isStopped = false;
  const limit = pLimit(maxAtOnce);

  async function look(): Promise<boolean> {
    const client = isStopped ? null : options.client();
    if (client === null) return false;
    const elements = await claimDueFeedback(perBatch, leaseMs);
    if (elements === null) return false;
    await Promise.all(elements.map((element) => limit(() => send(client, element))));
    return !isReading();
  }

  async function send(client: Client, element: ClaimedFeedback): Promise<void> {
    // The next sender sends what this one did not start.
    if (isStopped) return;
    const { uuid, versionId, approvalStatus, notes, blacklist } = element;
    try {
      await client.sendApproval({ uuid, version_id: versionId, approval_status: approvalStatus, notes, blacklist });
    } catch (error) {
      await refuse(client, element, error);
      return;
    }
    if (!(await finishFeedback(element))) await repeatFeedback(context, element);
  }

  /** Rules P4 and P5. */
  async function refuse(client: Client, element: ClaimedFeedback, error: unknown): Promise<void> {
    const { uuid, versionId, attempts } = element;
    if (!(isDirectoryFailed(error) || isDirectoryRefused(error))) throw error;
    const line = { uuid, version_id: versionId, attempts: attempts + 1, reason: error.message };
    if (aboutElement.has(error.status) && (await isUnknownThere(client, element))) {
      log.error(line, "the app directory no longer has this version: the decision about it is not reported");
      await finishFeedback(element);
      return;
    }
    const delay = retryDelay(attempts + 1, delays);
    log.warn({ ...line, minutes: delay / minute }, "a decision could not be reported to the app directory yet");
    await postponeFeedback(element, delay, error.message);
  }

  const loop = startPollLoop("feedback", pollMs, look);
  const forget = onRevision(() => {
    if (!isReading()) loop.wake();
  });
  return {
    soon: () => loop.wake(),
    stop: async () => {
      isStopped = true;
      forget();
      await within(stopMs, loop.stop(), () => undefined);
    },
  };
}

/** Whether the app directory, when asked, does not list this version of the app. False if it cannot be asked. */
async function isUnknownThere(client: Client, { uuid, versionId }: ClaimedFeedback): Promise<boolean> {
  try {
    const heads = (await client.applications([uuid])).map(readHead);
    return !heads.some((head) => "versionId" in head && !head.isDeleted && head.versionId === versionId);
  } catch {
    return false;
  }
}

/* `directory.md` section 7. A new decision replaces the document, so that the claim of an old one ends. */

export interface ClaimedFeedback {
  readonly id: string;
  readonly claim: string;
  readonly uuid: string;
  readonly versionId: number;
  readonly approvalStatus: string;
  readonly notes: string | null;
  readonly blacklist: boolean;
  readonly attempts: number;
}

/** Null if nothing is due; may be empty if another process was faster. */
export function claimDueFeedback(max: number, leaseMs: number): Promise<readonly ClaimedFeedback[] | null> {
  return inDatabase(async () => {
    const claimed = await claimDue(
      {
        find: (isDue) => FeedbackModel.find(isDue, { _id: 1 }).sort({ dueAt: 1 }).limit(max).lean(),
        take: (due, $set) => FeedbackModel.updateMany(due, { $set }),
      },
      leaseMs,
    );
    if (claimed === null) return null;
    const { claim } = claimed;
    const own = await FeedbackModel.find(claimed).lean();
    const blacklisted = await findBlacklisted(own.map(({ uuid }) => uuid));
    return own.map(({ _id, uuid, versionId, approvalStatus, notes, attempts }) => {
      const blacklist = blacklisted.has(uuid);
      return { id: _id, claim, uuid, versionId, approvalStatus, notes: notes ?? null, blacklist, attempts };
    });
  });
}

async function findBlacklisted(uuids: readonly string[]): Promise<ReadonlySet<string>> {
  const banned = { uuid: { $in: [...new Set(uuids)] }, isBlacklisted: true };
  const found = await ApplicationFlagsModel.find(banned, { _id: 0, uuid: 1 }).lean();
  return new Set(found.map(({ uuid }) => uuid));
}

/** False if the element was replaced in the meantime. */
export async function finishFeedback({ id, claim }: ClaimedFeedback): Promise<boolean> {
  return (await inDatabase(() => FeedbackModel.deleteOne({ _id: id, claim }))).deletedCount > 0;
}

export async function postponeFeedback(element: ClaimedFeedback, delayMs: number, reason: string): Promise<void> {
  const { id, claim, attempts } = element;
  const set = { attempts: attempts + 1, dueAt: later(delayMs), lastError: cutReason(reason), claim: null };
  await inDatabase(() => FeedbackModel.updateOne({ _id: id, claim }, { $set: set }));
}

/** The report of an older decision was in progress, and the newer one may have reached the app directory first. */
export async function repeatFeedback(context: WriteContext, { uuid, versionId }: ClaimedFeedback): Promise<void> {
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

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
  /** Milliseconds to wait after the first, second, … failed attempt; the last value repeats (rule P4). */
  readonly delays?: readonly number[];
  /** Milliseconds between two polls of the queue; default: 1 s. */
  readonly pollMs?: number;
  /** Milliseconds until other senders may take the elements of a dead one; default: 60 s. */
  readonly leaseMs?: number;
  /** Milliseconds that `stop` waits for running calls; default: 5 s. */
  readonly stopMs?: number;
  /**
   * Whether all apps are being synchronized. The first synchronization decides about every app, and the reports would
   * slow down storing. During that time only one batch is sent per poll, so that no decision has to wait until the end.
   */
  readonly isReading?: () => boolean;
}

const minute = 60_000;
export const feedbackDelays = [minute, 10 * minute, 60 * minute];
/** Elements sent at the same time. */
const maxAtOnce = 4;
/** Elements claimed together: few enough to send all within the lease, however slow the app directory is. */
const perBatch = 20;

/** Statuses that may mean that the version does not exist; 401 and 403 are about the keys, and temporary. */
const aboutElement: ReadonlySet<number | null> = new Set([400, 404, 410]);

const context: WriteContext = { actor: "directory", route: "feedback", requestId: null };

/**
 * Reports decisions about versions to the app directory (`directory.md` section 7) until stopped. Every decision is
 * reported at least once: an element leaves the queue only after a response, and its claim expires if the process dies.
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

/*
 * The durable queue of decisions to report to the app directory (`directory.md` section 7). A new decision about a
 * version replaces the document, so that whoever has claimed the old one can neither remove nor postpone the new one.
 */

/** An element that somebody has claimed. */
export interface ClaimedFeedback {
  readonly id: string;
  readonly claim: string;
  readonly uuid: string;
  readonly versionId: number;
  readonly approvalStatus: string;
  readonly notes: string | null;
  /** Whether the app is blacklisted now. */
  readonly blacklist: boolean;
  /** Failed attempts so far. */
  readonly attempts: number;
}

/**
 * Claims elements that are due, longest overdue first.
 *
 * @param leaseMs how long the claim lasts
 * @returns null if nothing is due; may be empty if another process was faster
 */
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

/** Removes an element that was reported or never can be. Returns false if it was replaced in the meantime. */
export async function finishFeedback({ id, claim }: ClaimedFeedback): Promise<boolean> {
  return (await inDatabase(() => FeedbackModel.deleteOne({ _id: id, claim }))).deletedCount > 0;
}

/** Postpones an element to a later attempt. */
export async function postponeFeedback(element: ClaimedFeedback, delayMs: number, reason: string): Promise<void> {
  const { id, claim, attempts } = element;
  const set = { attempts: attempts + 1, dueAt: later(delayMs), lastError: cutReason(reason), claim: null };
  await inDatabase(() => FeedbackModel.updateOne({ _id: id, claim }, { $set: set }));
}

/**
 * Queues the current decision about a version again. While the report of an older one was in progress, the newer report
 * may have reached the app directory first.
 */
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

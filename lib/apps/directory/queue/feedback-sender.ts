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
  /** Null while the directory cannot be told anything: then nothing is taken from the queue. */
  readonly client: () => Client | null;
  /** Milliseconds after the first, second, … failed attempt; the last one for ever (rule P4). */
  readonly delays?: readonly number[];
  /** Milliseconds between two looks at the queue, 1 s when not given. */
  readonly pollMs?: number;
  /** Milliseconds after which the elements of a sender that died are free, 60 s when not given. */
  readonly leaseMs?: number;
  /** Milliseconds that a stop waits for what is under way, 5 s when not given. */
  readonly stopMs?: number;
  /**
   * Whether all apps are being read now: a first reading makes a decision about each of them, and telling them would
   * take turns with storing. Then one batch is sent with every look, so that nobody's decision waits for the end.
   */
  readonly isReading?: () => boolean;
}

const minute = 60_000;
export const feedbackDelays = [minute, 10 * minute, 60 * minute];
/** Elements on their way at once. */
const maxAtOnce = 4;
/** Elements taken in hand together: few enough that each is sent within the lease, however slow the directory is. */
const perBatch = 20;

/** Answers that may mean that there is no such version; 401 and 403 are about the keys, and pass. */
const aboutElement: ReadonlySet<number | null> = new Set([400, 404, 410]);

const context: WriteContext = { actor: "directory", route: "feedback", requestId: null };

/**
 * Tells the directory what was decided about versions (`directory.md` section 7) until it is stopped. Every decision is
 * told at least once: an element leaves the queue only after the directory answered, and its claim ends by itself when
 * the process dies. A commit of this process has the queue looked at, so nobody has to call `soon`.
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
    // What was not begun is sent by whoever comes next.
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

/** Whether the directory, asked about it, does not list this version of the app. False when it cannot be asked. */
async function isUnknownThere(client: Client, { uuid, versionId }: ClaimedFeedback): Promise<boolean> {
  try {
    const heads = (await client.applications([uuid])).map(readHead);
    return !heads.some((head) => "versionId" in head && !head.isDeleted && head.versionId === versionId);
  } catch {
    return false;
  }
}

/*
 * The durable queue of decisions that the directory is to be told (`directory.md` section 7). A new decision about a
 * version replaces the document, so whoever has the old one in hand can neither remove nor postpone the new one.
 */

/** An element that somebody has in hand. */
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
 * Takes elements in hand that are due now, the longest due first.
 *
 * @param leaseMs how long nobody else takes them
 * @returns null when nothing is due; may be empty when another process was faster
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

/** Removes an element that the directory has, or never will have. Returns false when it was replaced meanwhile. */
export async function finishFeedback({ id, claim }: ClaimedFeedback): Promise<boolean> {
  return (await inDatabase(() => FeedbackModel.deleteOne({ _id: id, claim }))).deletedCount > 0;
}

/** Puts an element back for a later attempt. */
export async function postponeFeedback(element: ClaimedFeedback, delayMs: number, reason: string): Promise<void> {
  const { id, claim, attempts } = element;
  const set = { attempts: attempts + 1, dueAt: later(delayMs), lastError: cutReason(reason), claim: null };
  await inDatabase(() => FeedbackModel.updateOne({ _id: id, claim }, { $set: set }));
}

/**
 * Queues the present decision about a version once more: what was decided while an older decision was on its way may
 * have reached the directory before that one.
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

import "server-only";
import { randomUUID } from "node:crypto";
import { saveFeedback } from "@/lib/apps/applications/feedback";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction, type WriteContext } from "@/lib/platform/db/transaction";
import { dueConditions } from "@/lib/apps/directory/queue/due-times";
import { ApplicationFlagsModel } from "@/models/application-flags";
import { ApplicationModel } from "@/models/application";
import { FeedbackModel } from "@/models/directory/feedback";

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

const longestReason = 1_000;
const later = (ms: number) => new Date(Date.now() + ms);

/**
 * Takes elements in hand that are due now, the longest due first.
 *
 * @param leaseMs how long nobody else takes them
 * @returns null when nothing is due; may be empty when another process was faster
 */
export function claimDueFeedback(max: number, leaseMs: number): Promise<readonly ClaimedFeedback[] | null> {
  return inDatabase(async () => {
    const found = await findDue(max);
    if (found === null) return null;
    const { due, isDue } = found;
    const claim = randomUUID();
    const ids = due.map(({ _id }) => _id);
    // Another process may have found the same ones: whoever changes the due time first has them.
    await FeedbackModel.updateMany({ _id: { $in: ids }, ...isDue }, { $set: { claim, dueAt: later(leaseMs) } });
    const own = await FeedbackModel.find({ _id: { $in: ids }, claim }).lean();
    const blacklisted = await findBlacklisted(own.map(({ uuid }) => uuid));
    return own.map(({ _id, uuid, versionId, approvalStatus, notes, attempts }) => {
      const blacklist = blacklisted.has(uuid);
      return { id: _id, claim, uuid, versionId, approvalStatus, notes: notes ?? null, blacklist, attempts };
    });
  });
}

async function findDue(max: number) {
  for (const isDue of dueConditions(new Date())) {
    const due = await FeedbackModel.find(isDue, { _id: 1 }).sort({ dueAt: 1 }).limit(max).lean();
    if (due.length > 0) return { due, isDue };
  }
  return null;
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
  const set = { attempts: attempts + 1, dueAt: later(delayMs), lastError: reason.slice(0, longestReason), claim: null };
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
    await saveFeedback(tx, {
      uuid,
      versionId,
      approvalStatus: version.approvalStatus,
      notes: version.denialMessage ?? null,
      blacklist: flags?.isBlacklisted ?? false,
    });
  });
}

import "server-only";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { type Author, inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { startPollLoop } from "@/lib/jobs/poll-loop";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { requestOf } from "@/lib/records/publishing/rollout";
import { publishRelease } from "@/lib/releases/publish/publish-release";
import { requireNoNewFindings } from "@/lib/releases/publish/review";
import { toAuthor } from "@/lib/releases/queries";
import { storedItems } from "@/lib/releases/review/changes";
import { ScheduledReleaseModel, type ScheduledReleaseRecord } from "@/models/scheduled-release";
import { buildStoppedMessage } from "@/lib/platform/mail/rules";
import { findMailRoute, sendMail } from "@/lib/platform/mail/send-mail";
import type { Settings } from "@/lib/platform/settings";

interface StoppedRelease {
  readonly id: number;
  readonly name: string | null;
  readonly reason: string;
}

/** How long after its time a release is retried after unexpected errors, in milliseconds. */
const timeoutMs = 60_000;
const unexpected = "The server failed while it published this; its log tells why";

/**
 * Publishes due releases, and returns those that it has just stopped (`releases.md` L11). The transaction also deletes
 * the schedule's entry, so each is published once, even with several instances or after a crash. Throws
 * DatabaseUnavailable.
 */
export async function publishDue(now: Date): Promise<StoppedRelease[]> {
  const isDue = { state: "waiting", at: { $lte: now } } as const;
  const due = await inDatabase(() => ScheduledReleaseModel.find(isDue, { at: 1 }).sort({ at: 1, _id: 1 }).lean());
  const stopped: StoppedRelease[] = [];
  for (const { _id: id, at } of due) {
    try {
      const one = await publishOrStop(id, now, now.getTime() - at.getTime() > timeoutMs);
      if (one !== null) stopped.push(one);
    } catch (error) {
      log.error({ err: error, scheduled: id }, "a scheduled release could not be published; it is tried again");
      if (error instanceof DatabaseUnavailable) break;
    }
  }
  return stopped;
}

const schedule: WriteContext = { actor: "schedule", route: "scheduled release", requestId: null };

/** @throws temporary errors: an unavailable database, and unexpected errors until `isLate` */
async function publishOrStop(id: number, now: Date, isLate: boolean): Promise<StoppedRelease | null> {
  try {
    await publishOne(id, now);
    return null;
  } catch (error) {
    if (error instanceof AppError && error.status < 500) return stop(id, now, error.message);
    if (error instanceof DatabaseUnavailable || !isLate) throw error;
    log.error({ err: error, scheduled: id }, "a scheduled release could not be published; it was stopped");
    return stop(id, now, unexpected);
  }
}

async function publishOne(id: number, now: Date): Promise<void> {
  const scheduled = await inDatabase(() => ScheduledReleaseModel.findById(id).lean());
  if (scheduled === null) return;
  // The release's author is whoever scheduled it.
  const askedBy = { ...toAuthor(scheduled.author), actor: schedule.actor };
  const writer = { ...schedule, ...askedBy, ...approvalOf(scheduled, askedBy) };
  await inTransaction(writer, (tx) => publishIn(tx, id, now));
}

function approvalOf(
  { approvedBy, digest }: Pick<ScheduledReleaseRecord, "approvedBy" | "digest">,
  askedBy: Author,
): Pick<WriteContext, "approval"> {
  if (!approvedBy) return {};
  return { approval: { askedBy, approvedBy: toAuthor(approvedBy), digest: digest ?? { sum: "", parts: [] } } };
}

async function findDue(tx: Transaction, id: number, now: Date): Promise<ScheduledReleaseRecord | null> {
  const due = { _id: id, state: "waiting", at: { $lte: now } } as const;
  return ScheduledReleaseModel.findOne(due).session(tx.session).lean();
}

async function publishIn(tx: Transaction, id: number, now: Date): Promise<void> {
  const due = await findDue(tx, id, now);
  // Another instance has published it, or a user has moved it.
  if (due === null) {
    tx.keepRevision();
    return;
  }
  const { name = null, note = null, force, reason = null } = due;
  const rollout = due.rollout ? requestOf(due.rollout) : null;
  const request = { items: storedItems(due), name, note, force, reason, rollout };
  const { review } = await publishRelease(tx, request);
  requireNoNewFindings(review.checks, due.findings);
  await ScheduledReleaseModel.deleteOne({ _id: id }, { session: tx.session });
}

async function stop(id: number, now: Date, reason: string): Promise<StoppedRelease | null> {
  return inTransaction(schedule, async (tx) => {
    tx.keepRevision();
    const due = await findDue(tx, id, now);
    if (due === null) return null;
    const set = { state: "stopped", stoppedBecause: reason } as const;
    await ScheduledReleaseModel.updateOne({ _id: id }, { $set: set }, { session: tx.session });
    tx.record({ action: "releases.stop", target: `scheduled:${id}`, after: reason });
    return { id, name: due.name ?? null, reason };
  });
}

/** How often to look for due releases, in milliseconds. The query uses an index. */
const checkEveryMs = 5_000;
const mailDeadlineMs = 30_000;

/** On every instance. Returns a function that stops this. */
export function startScheduledReleases(settings: Settings, everyMs = checkEveryMs): () => Promise<void> {
  let telling = Promise.resolve();
  const loop = startPollLoop("scheduled releases", everyMs, async () => {
    // A mail server that does not respond must not delay the next release.
    for (const one of await publishQuietly()) telling = telling.then(() => tell(one, settings));
    return false;
  });
  return async () => {
    await loop.stop();
    await telling;
  };
}

async function publishQuietly(): Promise<readonly StoppedRelease[]> {
  try {
    return await publishDue(new Date());
  } catch (error) {
    log.error({ err: error }, "scheduled releases could not be checked; trying again");
    return [];
  }
}

/** A lost mail does no harm: the releases page shows the stopped release. */
async function tell(stopped: StoppedRelease, settings: Settings): Promise<void> {
  log.warn({ scheduled: stopped.id, reason: stopped.reason }, "a scheduled release was stopped");
  const route = findMailRoute(settings);
  if (route === null) return;
  try {
    const message = buildStoppedMessage(stopped, settings.publicBaseUrl);
    await sendMail(route, message, AbortSignal.timeout(mailDeadlineMs));
  } catch (error) {
    log.error({ err: error, scheduled: stopped.id }, "mail about a stopped release could not be sent");
  }
}

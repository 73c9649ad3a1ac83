import "server-only";
import { inDatabase } from "@/lib/db/connection/operation";
import { rawCollection } from "@/lib/db/raw";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { AppError, isAppError } from "@/lib/errors";
import { publishRelease } from "@/lib/releases/publish/publish-release";
import { chosenItemsOf, findingText } from "@/lib/releases/schedule/commands";
import { ScheduledReleaseModel, type ScheduledReleaseRecord } from "@/models/scheduled-release";

/** A scheduled release that was not published. */
export interface StoppedRelease {
  readonly id: number;
  readonly name: string | null;
  readonly reason: string;
}

/**
 * Publishes what is due (`releases.md` L11). The schedule's entry goes in the transaction that publishes, so each is
 * published once, by however many instances and whenever one of them dies.
 *
 * @returns what was stopped now, by this instance
 * @throws DatabaseUnavailable; what is due then stays due
 */
export async function publishDue(now: Date): Promise<StoppedRelease[]> {
  const due = await inDatabase(() =>
    rawCollection(ScheduledReleaseModel)
      .find({ state: "waiting", at: { $lte: now } }, { projection: { _id: 1 }, sort: { at: 1, _id: 1 } })
      .toArray(),
  );
  const stopped: StoppedRelease[] = [];
  for (const { _id } of due) {
    const one = await publishOne(_id, now);
    if (one !== null) stopped.push(one);
  }
  return stopped;
}

const schedule: WriteContext = { actor: "schedule", route: "scheduled release", requestId: null };

async function publishOne(id: number, now: Date): Promise<StoppedRelease | null> {
  const scheduled = await inDatabase(() => ScheduledReleaseModel.findById(id).lean());
  if (scheduled === null) return null;
  // Who has scheduled it is its author.
  const { displayName, isNameVerified } = scheduled.author;
  const writer = { ...schedule, displayName: displayName ?? null, isNameVerified };
  try {
    await inTransaction(writer, (tx) => publishIn(tx, id, now));
    return null;
  } catch (error) {
    // What cannot be done because of the database or the server is tried again.
    if (!isAppError(error) || error.status >= 500) throw error;
    return stop(id, now, error.message);
  }
}

async function findDue(tx: Transaction, id: number, now: Date): Promise<ScheduledReleaseRecord | null> {
  const due = { _id: id, state: "waiting", at: { $lte: now } } as const;
  return ScheduledReleaseModel.findOne(due).session(tx.session).lean();
}

async function publishIn(tx: Transaction, id: number, now: Date): Promise<void> {
  const due = await findDue(tx, id, now);
  // Another instance was faster, or somebody has moved it.
  if (due === null) {
    tx.keepRevision();
    return;
  }
  const { name = null, note = null, force, reason = null } = due;
  const request = { items: chosenItemsOf(due), name, note, force, reason };
  const { review } = await publishRelease(tx, request);
  const known = new Set(due.findings);
  const news = review.checks.filter((check) => check.level === "finding" && !known.has(findingText(check)));
  const [first] = news;
  if (first !== undefined) throw new AppError("conflict", `There is a new finding: ${first.message}`);
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

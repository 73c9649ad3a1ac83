import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import type { ScheduledReleaseJson } from "@/lib/releases/answer-schema";
import { requireNoFreeze } from "@/lib/records/publishing/freeze";
import { storedItems } from "@/lib/releases/review/changes";
import { findingText } from "@/lib/releases/publish/review";
import { digestOf } from "@/lib/releases/widening";
import { type PublicationRequest, requireReviewed } from "@/lib/releases/publish/publish-release";
import { toAuthorJson } from "@/lib/releases/queries";
import { authorOf } from "@/lib/records/publishing/record-release";
import { needsSecondPerson, refuseAlone, requireAsApproved } from "@/lib/records/publishing/second-person";
import { requestOf } from "@/lib/records/publishing/rollout";
import { describeSteps, type RolloutRequest } from "@/lib/vocabulary/rollouts";
import { withoutNull } from "@/lib/vocabulary/members";
import { itemText } from "@/lib/vocabulary/release-items";
import { ScheduledReleaseModel, type ScheduledReleaseRecord } from "@/models/scheduled-release";

const longestAheadMs = 90 * 86_400_000;

/** `releases.md` L11. AppError 409 in a freeze, 400 outside of the next 90 days; else throws like `publishRelease`. */
export async function scheduleRelease(
  request: PublicationRequest,
  at: Date,
  writer: WriteContext,
): Promise<ScheduledReleaseJson> {
  return inTransaction(writer, (tx) => scheduleIn(tx, request, at));
}

/** `scheduleRelease` within a transaction, which its errors must abort. */
export async function scheduleIn(
  tx: Transaction,
  request: PublicationRequest,
  at: Date,
): Promise<ScheduledReleaseJson> {
  tx.keepRevision();
  await requireTime(tx, at);
  const { changes, review, findings: found } = await requireReviewed(tx, request);
  const findings = found.map(findingText);
  const items = changes.map(({ family, key, id }) => ({ family, key, id }));
  const digest = digestOf(review.before, review.after, items);
  const { approval, role } = tx.writer;
  if (approval === undefined && role !== undefined && needsSecondPerson()) {
    refuseAlone({ items, findings, digest }, "publication");
  }
  if (approval !== undefined) requireAsApproved(approval.digest, digest);
  const { name, note, force, reason, rollout = null } = request;
  const _id = await tx.nextId("scheduled_releases");
  const facts = { at, notBefore: at, name, note, force, reason, items, findings, digest };
  const people = { author: approval?.askedBy ?? authorOf(tx.writer), approvedBy: approval?.approvedBy ?? null };
  const stored = { ...facts, rollout: rollout && requestOf(rollout), ...people };
  await ScheduledReleaseModel.insertMany([{ _id, state: "waiting", ...stored }], { session: tx.session });
  tx.record({ action: "releases.schedule", target: `scheduled:${_id}`, after: tellScheduled(stored) });
  return toScheduledJson(await requireScheduled(tx, _id));
}

export async function listScheduled(): Promise<ScheduledReleaseJson[]> {
  await requireDatabase();
  // These are all states. Naming them lets the query use the index.
  const all = { state: { $in: ["waiting", "stopped"] } } as const;
  return (await ScheduledReleaseModel.find(all).sort({ at: 1, _id: 1 }).lean()).map(toScheduledJson);
}

/** Moves a scheduled release to another time; a stopped one waits again. Throws like `scheduleRelease`, or 404. */
export async function moveScheduled(id: number, at: Date, writer: WriteContext): Promise<ScheduledReleaseJson> {
  return inTransaction(writer, async (tx) => {
    tx.keepRevision();
    const before = await requireScheduled(tx, id);
    await requireTime(tx, at);
    const { approvedBy, notBefore } = before;
    if (approvedBy && notBefore && at < notBefore) throw new AppError("conflict", earlierSentence(notBefore));
    const set = { at, state: "waiting", stoppedBecause: null } as const;
    await ScheduledReleaseModel.updateOne({ _id: id }, { $set: set }, { session: tx.session });
    const times = { before: before.at.toISOString(), after: at.toISOString() };
    tx.record({ action: "releases.move", target: `scheduled:${id}`, ...times });
    return toScheduledJson({ ...before, ...set });
  });
}

/** Cancels a scheduled release; AppError 404 if it does not exist (any more). */
export async function cancelScheduled(id: number, writer: WriteContext): Promise<void> {
  await inTransaction(writer, async (tx) => {
    tx.keepRevision();
    const before = tellScheduled(await requireScheduled(tx, id));
    await ScheduledReleaseModel.deleteOne({ _id: id }, { session: tx.session });
    tx.record({ action: "releases.cancel", target: `scheduled:${id}`, before });
  });
}

function tellScheduled({ at, name, note, reason, author, rollout, ...rest }: Told) {
  const texts = storedItems(rest).map((item) => `${itemText(item)} ${item.id}`);
  return {
    at: at.toISOString(),
    items: texts,
    by: author.displayName ?? author.actor,
    ...withoutNull({ name, note, reason }),
    ...(rollout && { rollout: describeSteps(requestOf(rollout).steps) }),
  };
}
type Told = Pick<ScheduledReleaseRecord, "at" | "author"> & {
  readonly rollout?: ScheduledReleaseRecord["rollout"] | RolloutRequest;
} & Partial<Pick<ScheduledReleaseRecord, "name" | "note" | "reason">> &
  Parameters<typeof storedItems>[0];

const earlierSentence = (agreed: Date) =>
  `Another person has approved this for ${agreed.toISOString()}: for an earlier time it must be asked for again`;

async function requireScheduled(tx: Transaction, id: number): Promise<ScheduledReleaseRecord> {
  const found = await ScheduledReleaseModel.findById(id).session(tx.session).lean();
  if (found === null) throw new AppError("notFound", `There is no scheduled release ${id}`);
  return found;
}

async function requireTime(tx: Transaction, at: Date): Promise<void> {
  const ahead = at.getTime() - tx.now.getTime();
  if (ahead <= 0) throw new AppError("invalid", "at must be in the future");
  if (ahead > longestAheadMs) throw new AppError("invalid", "at is too far ahead: schedule at most 90 days in advance");
  await requireNoFreeze(tx, at);
}

function toScheduledJson(record: ScheduledReleaseRecord): ScheduledReleaseJson {
  return {
    id: record._id,
    state: record.state,
    at: record.at.toISOString(),
    name: record.name ?? null,
    note: record.note ?? null,
    author: toAuthorJson(record.author),
    items: storedItems(record),
    rollout: record.rollout ? requestOf(record.rollout) : null,
    stopped_because: record.stoppedBecause ?? null,
  };
}

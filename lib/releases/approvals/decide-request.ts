import "server-only";
import type { Principal } from "@/lib/platform/auth/principal";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import type { PublishedAnswer, ScheduledReleaseJson } from "@/lib/releases/answer-schema";
import { makeForAll } from "@/lib/releases/approvals/request-approval";
import { importRequested, requireSameItems } from "@/lib/releases/approvals/outlook";
import { findRefusal, isOwn, toRequestJson } from "@/lib/releases/approvals/queries";
import { loadTitles } from "@/lib/releases/items/titles";
import { storedItems } from "@/lib/releases/review/changes";
import { type Published, publishRelease } from "@/lib/releases/publish/publish-release";
import { requireNoNewFindings } from "@/lib/releases/publish/review";
import { returnToRelease } from "@/lib/releases/publish/return-to-release";
import { replacedBy } from "@/lib/releases/publish/write-release";
import { requireRelease, toAuthor, toReleaseJson } from "@/lib/releases/queries";
import { authorOf } from "@/lib/records/publishing/record-release";
import { requestOf } from "@/lib/records/publishing/rollout";
import { scheduleIn } from "@/lib/releases/schedule/commands";
import { ApprovalRequestModel, type ApprovalRequestRecord } from "@/models/approval-request";

export type Approved =
  | PublishedAnswer
  | { readonly scheduled: readonly ScheduledReleaseJson[] }
  | Record<string, never>;

/**
 * Approves another user's request and makes the change in one transaction (`people.md` P9); the requester is the
 * author. Throws AppError 404 if unknown, 403 if the writer may not approve it, 409 if a reviewed record has changed.
 */
export async function approveRequest(id: number, approver: Principal, writer: WriteContext): Promise<Approved> {
  const request = await findRequest(id);
  const refusal = findRefusal(request, approver);
  if (refusal !== null) throw new AppError("forbidden", refusal);
  const approval = { askedBy: toAuthor(request.author), approvedBy: authorOf(writer), digest: request.digest };
  return inTransaction({ ...writer, approval }, async (tx) => {
    await requireWaiting(id, tx);
    const found = await takeRequest(tx, id);
    tx.record({ action: "approvals.approve", target: `approval:${id}`, before: await describe(found) });
    return make(tx, found);
  });
}

/** Withdraws the caller's own request (`people.md` P9a). AppError 404 for an unknown request, 403 for another's. */
export async function withdrawRequest(
  id: number,
  { reader, writer }: { readonly reader: Principal | null; readonly writer: WriteContext },
): Promise<void> {
  await inTransaction(writer, async (tx) => {
    tx.keepRevision();
    const found = await takeRequest(tx, id);
    if (!isOwn(found, reader))
      throw new AppError("forbidden", "Only its author can withdraw a request: reject it with a reason instead");
    tx.record({ action: "approvals.withdraw", target: `approval:${id}`, before: await describe(found) });
  });
}

/** How long rejected requests are kept unless withdrawn, in milliseconds. */
const keepRejectedMs = 30 * 86_400_000;

/** Rejects another user's request (`people.md` P9a). AppError 404 if unknown, 403 for one's own, 409 if rejected. */
export async function rejectRequest(
  id: number,
  reason: string,
  { approver, writer }: { readonly approver: Principal | null; readonly writer: WriteContext },
): Promise<void> {
  await inTransaction(writer, async (tx) => {
    tx.keepRevision();
    const found = await requireWaiting(id, tx);
    if (isOwn(found, approver)) throw new AppError("forbidden", "Withdraw your own request instead of rejecting it");
    const rejection = { by: authorOf(writer), reason, at: tx.now };
    await ApprovalRequestModel.replaceOne({ _id: id }, { ...found, rejection }, { session: tx.session });
    const isOld = { "rejection.at": { $lt: new Date(tx.now.getTime() - keepRejectedMs) } };
    await ApprovalRequestModel.deleteMany(isOld, { session: tx.session });
    tx.record({
      action: "approvals.reject",
      target: `approval:${id}`,
      before: await describe(found),
      after: { reason },
    });
  });
}

async function requireWaiting(id: number, tx: Transaction): Promise<ApprovalRequestRecord> {
  const found = await ApprovalRequestModel.findById(id).session(tx.session).lean();
  if (found === null) throw unknown(id);
  if (found.rejection) throw new AppError("conflict", rejectedSentence);
  return found;
}

const rejectedSentence = "This request was rejected: request approval again";

async function make(tx: Transaction, request: ApprovalRequestRecord): Promise<Approved> {
  const { kind, at, returnTo } = request;
  const { name = null, note = null, force, reason = null } = request;
  const requested = { name, note, force, reason };
  if (kind === "decision" || kind === "flag") {
    const items = storedItems(request);
    if (items.length === 0) throw new AppError("notFound");
    await makeForAll(tx, { decision: toDecision(request), flag: request.flag ?? null, force, items });
    return {};
  }
  if (kind === "import") {
    await importRequested(tx, request);
    return {};
  }
  if (kind === "return") {
    const published = await returnToRelease(tx, returnTo ?? 0, requested);
    // Production still has what the rollback was to replace.
    requireSameItems(request, published.items.map(replacedBy));
    requireKnown(request, published);
    return { release: toReleaseJson(await requireRelease(published.number, tx.session)) };
  }
  const rollout = request.rollout ? requestOf(request.rollout) : null;
  const publication = { ...requested, items: storedItems(request), rollout };
  if (at) return { scheduled: [await scheduleIn(tx, publication, at)] };
  const published = await publishRelease(tx, publication);
  requireKnown(request, published);
  return { release: toReleaseJson(await requireRelease(published.number, tx.session)) };
}

function toDecision({ decision }: ApprovalRequestRecord) {
  return decision
    ? { ...decision, denialMessage: decision.denialMessage ?? null, isBlacklisted: decision.isBlacklisted ?? null }
    : null;
}

/** Requests by a promote route with `force` have no stored findings: they accept any. */
function requireKnown({ findings }: ApprovalRequestRecord, { review }: Published): void {
  if (findings) requireNoNewFindings(review.checks, findings);
}

async function describe(request: ApprovalRequestRecord) {
  return toRequestJson(request, await loadTitles(storedItems(request)));
}

async function findRequest(id: number): Promise<ApprovalRequestRecord> {
  const found = await ApprovalRequestModel.findById(id).lean();
  if (found === null) throw unknown(id);
  return found;
}

async function takeRequest(tx: Transaction, id: number): Promise<ApprovalRequestRecord> {
  const found = await ApprovalRequestModel.findOneAndDelete({ _id: id }, { session: tx.session }).lean();
  if (found === null) throw unknown(id);
  return found;
}

function unknown(id: number): AppError {
  return new AppError("notFound", `Nothing waits for approval as ${id}`);
}

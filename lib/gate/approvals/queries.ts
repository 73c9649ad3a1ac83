import "server-only";
import type { Principal } from "@/lib/platform/auth/principal";
import { may } from "@/lib/platform/auth/may";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { isAppError } from "@/lib/platform/errors";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { ApprovalJson } from "@/lib/content/releases/answer-schema";
import { chooseItems, listViewRecords, loadState, storedItems } from "@/lib/gate/review/changes";
import { loadTitles } from "@/lib/gate/items/titles";
import { type ItemKey, itemText } from "@/lib/labels/release-items";
import { describeRequest } from "@/lib/labels/approval-requests";
import { isSameName } from "@/lib/labels/person-names";
import { ApprovalRequestModel, type ApprovalRequestRecord } from "@/models/approval-request";
import { toAuthorJson } from "@/lib/content/releases/queries";
import type { Author } from "@/lib/platform/db/transaction";

/** Lists waiting requests (`people.md` P9), newest first, each with the reason why the reader cannot approve it. */
export async function listApprovals(reader: Principal | null): Promise<ApprovalJson[]> {
  await requireDatabase();
  const requests = await ApprovalRequestModel.find({}).sort({ _id: -1 }).lean();
  if (requests.length === 0) return [];
  const [state, titleOf] = await Promise.all([loadState(), loadTitles(requests.flatMap(storedItems))]);
  return requests.map((one) => toApprovalJson(one, titleOf, { reader, voidBecause: findVoid(one, state, new Date()) }));
}

/** How many requests the reader can approve. */
export async function countApprovable(reader: Principal | null): Promise<number> {
  if (!may(reader, "publish")) return 0;
  const waiting = await ApprovalRequestModel.find({ rejection: null }).lean();
  const others = waiting.filter((one) => findRefusal(one, reader) === null);
  if (others.length === 0) return 0;
  const [state, now] = [await loadState(), new Date()];
  return others.filter((one) => findVoid(one, state, now) === null).length;
}

/** Why the reader cannot approve; null: they can. An approver is a person with a verified name, and not the requester. */
export function findRefusal(
  { askedBy, author }: Pick<ApprovalRequestRecord, "askedBy" | "author">,
  reader: Principal | null,
): string | null {
  if (reader === null || !may(reader, "publish")) return "Approving needs the role publisher";
  const isPerson = reader.proof === "session" || reader.proof === "proxy";
  if (!isPerson || !reader.isVerified) return "Only a user with a verified name can approve";
  return isOwn({ askedBy, author }, reader) ? "You cannot approve your own request" : null;
}

/** Whether the reader made the request, or created the token that did. */
export function isOwn(
  { askedBy, author }: Pick<ApprovalRequestRecord, "askedBy" | "author">,
  reader: Principal | null,
): boolean {
  if (reader === null) return false;
  const ownIds = [reader.id, reader.makerId];
  const isNamed = reader.isVerified || reader.name !== null;
  return (isNamed && isSameName(author.displayName, reader.name)) || askedBy.some((id) => ownIds.includes(id));
}

/** Why a request can no longer be approved, e.g. because the reviewed items have changed. */
export function findVoid(request: ApprovalRequestRecord, state: PolicySnapshot, now: Date): string | null {
  if (request.at && request.at <= now) return "The scheduled time has passed";
  if (request.kind === "decision" || request.kind === "flag") return null;
  const items = storedItems(request);
  if (request.kind === "return") {
    const served = new Map(
      items
        .flatMap(({ family }) => (family === "app" ? [] : listServed(state, family)))
        .map((one) => [one.text, one.id]),
    );
    return items.some((item) => (served.get(itemText(item)) ?? 0) !== item.id) ? movedSentence : null;
  }
  try {
    return chooseItems(state, items).moved.length > 0 ? movedSentence : null;
  } catch (error) {
    if (isAppError(error)) return error.message;
    throw error;
  }
}

/** For requests whose items have changed. */
export const movedSentence = "The reviewed items have changed: request approval again";

function listServed(state: PolicySnapshot, family: Parameters<typeof listViewRecords>[1]) {
  return listViewRecords(state, family, "production").flatMap(({ key, id, isDeleted }) =>
    isDeleted ? [] : [{ text: itemText({ family, key }), id }],
  );
}

/** The console page for approving a request. */
export function approvalPath(id: number): string {
  return `/changes?approval=${id}`;
}

/** Who made the request. */
export function askerOf({ author }: Pick<ApprovalRequestRecord, "author">): Author {
  return authorIn(author);
}

function authorIn({ actor, displayName, isNameVerified }: ApprovalRequestRecord["author"]): Author {
  return { actor, displayName: displayName ?? null, isNameVerified };
}

/** A request in API responses. `voidBecause`: why nobody can approve it. */
export function toApprovalJson(
  request: ApprovalRequestRecord,
  titleOf: (item: ItemKey) => string,
  { reader, voidBecause }: { readonly reader: Principal | null; readonly voidBecause: string | null },
): ApprovalJson {
  const { _id: id, kind, name, note, force, reason, at, returnTo, askedAt, rejection } = request;
  const items = storedItems(request).map((item) => ({ ...item, title: titleOf(item) }));
  return {
    id,
    path: approvalPath(id),
    kind,
    title: describeRequest(
      request,
      items.map((item) => item.title),
    ),
    items,
    name: name ?? null,
    note: note ?? null,
    force,
    reason: reason ?? null,
    at: at?.toISOString() ?? null,
    returned_to: returnTo ?? null,
    author: toAuthorJson(askerOf(request)),
    asked_at: askedAt.toISOString(),
    void_because: voidBecause,
    refusal: findRefusal(request, reader),
    is_own: isOwn(request, reader),
    rejected: rejection ? { ...toRemark(rejection), reason: rejection.reason } : null,
    comments: commentsOf(request).map((comment) => ({ ...toRemark(comment), text: comment.text })),
  };
}

interface Remark {
  readonly by: ApprovalRequestRecord["author"];
  readonly at: Date;
}
const toRemark = ({ by, at }: Remark) => ({ by: toAuthorJson(authorIn(by)), at: at.toISOString() });

/** Requests of earlier versions have no comments. */
export function commentsOf({
  comments,
}: {
  readonly comments?: Iterable<Remark & { readonly text: string }> | null;
}): (Remark & { readonly text: string })[] {
  return [...(comments ?? [])];
}

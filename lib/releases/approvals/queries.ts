import "server-only";
import { z } from "zod";
import type { Principal } from "@/lib/platform/auth/principal";
import { may } from "@/lib/platform/auth/may";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { findVoid } from "@/lib/releases/approvals/outlook";
import type { ApprovalJson } from "@/lib/releases/answer-schema";
import { loadState, storedItems } from "@/lib/releases/review/changes";
import { loadTitles } from "@/lib/releases/items/titles";
import { type ItemKey, itemText } from "@/lib/vocabulary/release-items";
import { describeRequest } from "@/lib/vocabulary/approval-requests";
import { requestOf } from "@/lib/records/publishing/rollout";
import { describeSteps } from "@/lib/vocabulary/rollouts";
import { snakeName, toSnakeMembers, withoutNull } from "@/lib/vocabulary/members";
import { isSameName } from "@/lib/vocabulary/person-names";
import { ApprovalRequestModel, type ApprovalRequestRecord } from "@/models/approval-request";
import { toAuthorJson } from "@/lib/releases/queries";

/** Lists waiting requests (`people.md` P9), newest first, each with the reason why the reader cannot approve it. */
export async function listApprovals(reader: Principal | null): Promise<ApprovalJson[]> {
  await requireDatabase();
  const requests = await ApprovalRequestModel.find({}).sort({ _id: -1 }).lean();
  if (requests.length === 0) return [];
  const [state, titleOf] = await Promise.all([loadState(), loadTitles(requests.flatMap(storedItems))]);
  const told: ApprovalJson[] = [];
  for (const one of requests) {
    told.push(toApprovalJson(one, titleOf, { reader, voidBecause: await findVoid(one, state, new Date()) }));
  }
  return told;
}

export async function countApprovable(reader: Principal | null): Promise<number> {
  if (!may(reader, "publish")) return 0;
  const waiting = await ApprovalRequestModel.find({ rejection: null }).lean();
  const others = waiting.filter((one) => findRefusal(one, reader) === null);
  if (others.length === 0) return 0;
  const [state, now] = [await loadState(), new Date()];
  let count = 0;
  for (const one of others) if ((await findVoid(one, state, now)) === null) count++;
  return count;
}

/** Null: the reader can approve, has a verified name, and neither asked nor wrote any of it (`people.md` P9). */
export function findRefusal(
  {
    askedBy,
    author,
    writtenBy,
  }: Pick<ApprovalRequestRecord, "askedBy" | "author"> & Partial<Pick<ApprovalRequestRecord, "writtenBy">>,
  reader: Principal | null,
): string | null {
  if (reader === null || !may(reader, "publish")) return "Approving needs the role publisher";
  const isPerson = reader.proof === "session" || reader.proof === "proxy";
  if (!isPerson || !reader.isVerified) return "Only a user with a verified name can approve";
  const isNamesake = isSameName(author.displayName, reader.name);
  if (isNamesake || isOwn({ askedBy }, reader)) return "You cannot approve your own request";
  return writtenBy?.includes(reader.id) === true ? "You cannot approve what you or your API tokens changed" : null;
}

/** Whether the reader made the request, or created the token that did. */
export function isOwn({ askedBy }: Pick<ApprovalRequestRecord, "askedBy">, reader: Principal | null): boolean {
  return reader !== null && askedBy.some((id) => id === reader.id || id === reader.makerId);
}

export function approvalPath(id: number): string {
  return `/changes?approval=${id}`;
}

/** A request in API responses. `voidBecause`: why nobody can approve it. */
export function toApprovalJson(
  request: ApprovalRequestRecord,
  titleOf: (item: ItemKey) => string,
  { reader, voidBecause }: { readonly reader: Principal | null; readonly voidBecause: string | null },
): ApprovalJson {
  const { _id: id, kind, name, note, force, reason, at, returnTo, rollout, askedAt, rejection } = request;
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
    rollout: rollout ? requestOf(rollout) : null,
    author: toAuthorJson(request.author),
    asked_at: askedAt.toISOString(),
    void_because: voidBecause,
    refusal: findRefusal(request, reader),
    is_own: isOwn(request, reader),
    rejected: rejection ? { ...toRemark(rejection), reason: rejection.reason } : null,
    comments: listComments(request),
  };
}

/** A request in the audit trail: what was asked for, by whom and why (`gate.md` W14). */
export function toRequestJson(request: ApprovalRequestRecord, titleOf: (item: ItemKey) => string) {
  const { kind, name, note, reason, force, at, returnTo: returned_to, rollout, decision, flag } = request;
  const { displayName, actor } = request.author;
  const stored = storedItems(request);
  const items = stored.map((item) => `${itemText(item)} ${item.id}`);
  const title = describeRequest(request, stored.map(titleOf));
  return {
    ...{ kind, title, by: displayName ?? actor, items },
    ...withoutNull({ name, note, reason, at: at?.toISOString(), returned_to }),
    ...(rollout && { rollout: describeSteps(requestOf(rollout).steps) }),
    ...(force && { is_forced: true }),
    ...(decision && { decision: { ...toSnakeMembers(withoutNull(decision)) } }),
    ...(kind === "import" && { apps: z.json().parse(request.apps) }),
    ...(flag && { flag: { [snakeName(flag.name)]: flag.value as boolean | string } }),
  };
}

interface Remark {
  readonly by: ApprovalRequestRecord["author"];
  readonly at: Date;
}
const toRemark = ({ by, at }: Remark) => ({ by: toAuthorJson(by), at: at.toISOString() });

/** Only requests that one earlier version has stored have comments. */
function listComments({
  comments,
}: {
  readonly comments?: Iterable<Remark & { readonly text: string }> | null;
}): ApprovalJson["comments"] {
  return Array.from(comments ?? [], (comment) => ({ ...toRemark(comment), text: comment.text }));
}

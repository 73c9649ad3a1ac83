import type { ApprovalJson } from "@/lib/content/releases/answer-schema";
import { toAuthorJson } from "@/lib/content/releases/queries";
import { storedItems } from "@/lib/gate/publish/chosen-items";
import type { Author } from "@/lib/platform/db/transaction";
import type { ApprovalRequestRecord } from "@/models/approval-request";

/** The page of the console where a change is approved. */
export function approvalPath(id: number): string {
  return `/changes?approval=${id}`;
}

/** Who has asked. */
export function askerOf({ author }: Pick<ApprovalRequestRecord, "author">): Author {
  return { actor: author.actor, displayName: author.displayName ?? null, isNameVerified: author.isNameVerified };
}

/**
 * A request as routes answer it.
 *
 * @param voidBecause why it can be approved no more
 * @param refusal why the caller must not approve it
 */
export function toApprovalJson(
  request: ApprovalRequestRecord,
  voidBecause: string | null,
  refusal: string | null,
): ApprovalJson {
  const { _id: id, kind, name, note, force, reason, at, returnTo, askedAt } = request;
  return {
    id,
    path: approvalPath(id),
    kind,
    items: storedItems(request),
    name: name ?? null,
    note: note ?? null,
    force,
    reason: reason ?? null,
    at: at?.toISOString() ?? null,
    returned_to: returnTo ?? null,
    author: toAuthorJson(askerOf(request)),
    asked_at: askedAt.toISOString(),
    void_because: voidBecause,
    refusal,
  };
}

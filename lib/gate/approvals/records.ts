import type { ApprovalJson } from "@/lib/content/releases/answer-schema";
import { toAuthorJson } from "@/lib/content/releases/queries";
import { type ItemKey, itemFamilies } from "@/lib/content/releases/vocabulary";
import type { Author } from "@/lib/platform/db/transaction";
import type { ApprovalRequestRecord } from "@/models/approval-request";

/** The page of the console where a change is approved. */
export function approvalPath(id: number): string {
  return `/changes?approval=${id}`;
}

/** The items of a request, as publications take them. */
export function requestedItems({ items }: Pick<ApprovalRequestRecord, "items">): (ItemKey & { readonly id: number })[] {
  return [...items].flatMap(({ family, key, id }) => {
    const known = itemFamilies.find((name) => name === family);
    return known === undefined ? [] : [{ family: known, key, id }];
  });
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
    items: requestedItems(request),
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

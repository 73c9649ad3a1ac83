import "server-only";
import type { Principal } from "@/lib/platform/auth/principal";
import { may } from "@/lib/platform/auth/may";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { isAppError } from "@/lib/platform/errors";
import type { PolicySnapshot } from "@/lib/policy/table/snapshot";
import type { ApprovalJson } from "@/lib/content/releases/answer-schema";
import { chooseItems, listViewRecords, loadState, storedItems } from "@/lib/gate/review/changes";
import { itemText } from "@/lib/labels/release-items";
import { isSameName } from "@/lib/labels/person-names";
import { ApprovalRequestModel, type ApprovalRequestRecord } from "@/models/approval-request";
import { toAuthorJson } from "@/lib/content/releases/queries";
import type { Author } from "@/lib/platform/db/transaction";

/** Lists what waits for a second person (`people.md` P9), newest first; says why the reader must not approve. */
export async function listApprovals(reader: Principal | null): Promise<ApprovalJson[]> {
  await requireDatabase();
  const requests = await ApprovalRequestModel.find({}).sort({ _id: -1 }).lean();
  if (requests.length === 0) return [];
  const state = await loadState();
  const now = new Date();
  return requests.map((one) => toApprovalJson(one, findVoid(one, state, now), findRefusal(one, reader)));
}

/** Who approves: a person, known by name and not the one who has asked. Null: they may; else why they must not. */
export function findRefusal(
  { askedBy, author }: Pick<ApprovalRequestRecord, "askedBy" | "author">,
  reader: Principal | null,
): string | null {
  if (reader === null || !may(reader, "publish")) return "Approving needs the role publisher";
  const isPerson = reader.proof === "session" || reader.proof === "proxy";
  if (!isPerson || !reader.isVerified) return "Only a user with a verified name can approve";
  const ownIds = [reader.id, reader.makerId];
  const isOwnName = isSameName(author.displayName, reader.name);
  if (isOwnName || askedBy.some((id) => ownIds.includes(id))) return "You cannot approve your own request";
  return null;
}

/** Why a request can be approved no more: what was reviewed is not what is there. */
function findVoid(request: ApprovalRequestRecord, state: PolicySnapshot, now: Date): string | null {
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

/** Said of what was changed since it was asked for. */
export const movedSentence = "The reviewed items have changed: request approval again";

function listServed(state: PolicySnapshot, family: Parameters<typeof listViewRecords>[1]) {
  return listViewRecords(state, family, "production").flatMap(({ key, id, isDeleted }) =>
    isDeleted ? [] : [{ text: itemText({ family, key }), id }],
  );
}

/** The page of the console where a change is approved. */
export function approvalPath(id: number): string {
  return `/changes?approval=${id}`;
}

/** Who has asked. */
export function askerOf({ author }: Pick<ApprovalRequestRecord, "author">): Author {
  return { actor: author.actor, displayName: author.displayName ?? null, isNameVerified: author.isNameVerified };
}

/** A request as routes answer it: why nobody (`voidBecause`) or not the caller (`refusal`) may approve it. */
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

import "server-only";
import { decideVersion } from "@/lib/apps/applications/approval";
import type { Transaction } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { copyToProduction, type Publication } from "@/lib/content/records/publish";
import { loadBodies } from "@/lib/gate/publish/bodies";
import { type ChosenItem, type Choice, chooseItems } from "@/lib/gate/publish/chosen-items";
import { recordItems } from "@/lib/gate/items/families";
import { findOrigins } from "@/lib/gate/publish/origins";
import { findingText, type Insistence, requirePublishable } from "@/lib/gate/publish/refusals";
import { type Review, reviewItems } from "@/lib/gate/publish/review";
import { readState } from "@/lib/gate/publish/state";
import { beginRelease, recordRelease } from "@/lib/content/releases/record-release";
import { propose } from "@/lib/content/releases/proposal";
import type { StagedChange } from "@/lib/gate/review/changes";
import type { ReleasedItem } from "@/lib/content/releases/store-release";
import { itemStores } from "@/lib/content/releases/stores";
import { summarizeChange } from "@/lib/content/releases/summary";
import { namesOf } from "@/lib/labels/members";

/** What somebody wants to publish. */
export interface PublicationRequest extends Insistence {
  /** The records that were reviewed; "all": everything that is staged, as the transaction finds it. */
  readonly items: readonly ChosenItem[] | "all";
  readonly name: string | null;
  readonly note: string | null;
}

/** What was published. */
export interface Published {
  /** Number of the release. */
  readonly number: number;
  readonly review: Review;
  readonly items: readonly ReleasedItem[];
}

/**
 * Publishes reviewed items of all families and apps as one release, in one transaction (rules L6, L8 and L9): only the result
 * counts, whatever the order in which the items would have to be promoted one by one.
 *
 * @throws AppError 400 for an item that does not exist; 409 with `data.moved` for heads that moved since the review, with
 *   `data.checks` for what refuses it, when there is nothing to publish, and where another person has to approve it. The transaction must be left by it
 */
export async function publishRelease(tx: Transaction, request: PublicationRequest): Promise<Published> {
  const state = await readState(tx);
  const choice = chooseItems(state, request.items);
  if (choice.moved.length > 0) throw await describeMoved(tx, choice.moved);
  const review = await reviewItems(state, choice.changes);
  const findings = requirePublishable(review.checks, request);
  const release = await beginRelease(tx, "release");
  const items = await copyToProduction(tx, release, await loadPublications(tx, choice.changes));
  const apps = await acceptApps(tx, choice.changes);
  const plan = choice.changes.map(({ family, key, id }) => ({ family, key, id }));
  propose(tx, { release: "release", items: plan, findings: findings.map(findingText) });
  const { name, note } = request;
  const reason = findings.length === 0 ? null : request.reason;
  const released = [...items, ...apps];
  await recordRelease(tx, release, { name, note, reason, findings }, released);
  return { number: release.number, review, items: released };
}

async function loadPublications(tx: Transaction, changes: readonly StagedChange[]): Promise<Publication[]> {
  const publications: Publication[] = [];
  // One after the other: operations of a transaction must not run at the same time.
  for (const name of namesOf(itemStores)) {
    const ids = changes.flatMap(({ family, id }) => (family === name ? id : []));
    if (ids.length === 0) continue;
    const family = recordItems[name];
    publications.push({ family, records: await family.load(ids, tx.session) });
  }
  return publications;
}

/** Accepts the staged versions of apps, with all that a decision of an administrator does (`api.md` 4.1). */
async function acceptApps(tx: Transaction, changes: readonly StagedChange[]): Promise<ReleasedItem[]> {
  const apps = changes.filter(({ family }) => family === "app");
  const ids = apps.flatMap(({ id, productionId }) => (productionId === null ? [id] : [id, productionId]));
  const bodies = await loadBodies("app", ids);
  const bodyOf = (id: number | null) => (id === null ? null : (bodies.get(id)?.body ?? null));
  const items: ReleasedItem[] = [];
  for (const { key, id, productionId, change } of apps) {
    // What head units would refuse in the entry is among the findings of the review.
    await decideVersion(tx, { id, approval_status: "ACCEPTED", force: true });
    const summary = summarizeChange("app", bodyOf(productionId), bodyOf(id));
    items.push({ family: "app", key, beforeId: productionId, afterId: id, change, summary });
  }
  return items;
}

/** The 409 that tells which heads have moved, by whom and when (rule L8). */
export async function describeMoved(tx: Transaction, moved: Choice["moved"]): Promise<AppError> {
  const told = [];
  for (const { family, key, id, reviewedId } of moved) {
    const recordId = id ?? reviewedId;
    const target = await targetOf(tx, family, recordId);
    const origin = (await findOrigins(family, [{ id: recordId, target }], tx.session)).get(recordId);
    told.push({ family, key, id, author: origin?.author ?? null, at: origin?.at ?? null });
  }
  const sentence = "What was reviewed was changed meanwhile; nothing is published";
  return new AppError("conflict", sentence, { data: { moved: told } });
}

async function targetOf(tx: Transaction, family: ChosenItem["family"], id: number): Promise<string> {
  if (family === "app") return `application:${id}`;
  const records = recordItems[family];
  const [record] = await records.load([id], tx.session);
  return record === undefined ? "" : records.targetOf(record);
}

import "server-only";
import { inDryRun } from "@/lib/platform/db/dry-run";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { recordItems } from "@/lib/records/families";
import { loadBodies } from "@/lib/releases/items/bodies";
import { findOrigins } from "@/lib/releases/items/origins";
import { type Choice, chooseItems, readState, type StagedChange } from "@/lib/releases/review/changes";
import {
  type Insistence,
  requirePublishable,
  type Review,
  reviewItems,
  describeReview,
} from "@/lib/releases/publish/review";
import { type Publication, writeRelease } from "@/lib/releases/publish/write-release";
import type { ReleasedItem } from "@/lib/records/publishing/record-release";
import type { PublishedAnswer } from "@/lib/releases/answer-schema";
import { requireRelease, toReleaseJson } from "@/lib/releases/queries";
import { namesOf } from "@/lib/vocabulary/members";
import type { RolloutRequest } from "@/lib/vocabulary/rollouts";
import type { ReviewedItem } from "@/lib/vocabulary/release-items";

export interface ReleaseRequest extends Insistence {
  readonly name: string | null;
  readonly note: string | null;
}

export interface PublicationRequest extends ReleaseRequest {
  /** The reviewed records; "all": everything that the transaction finds in staging. */
  readonly items: readonly ReviewedItem[] | "all";
  /** Only some vehicles get it at first (`fleet.md` S11); null: all do. */
  readonly rollout?: RolloutRequest | null | undefined;
}

export interface Published {
  readonly number: number;
  readonly review: Review;
  readonly items: readonly ReleasedItem[];
}

export function savePublication(
  { dry_run: isDryRun, ...request }: PublicationRequest & { readonly dry_run: boolean },
  writer: WriteContext,
): Promise<PublishedAnswer> {
  return inOneStep(writer, isDryRun, (tx) => publishRelease(tx, request));
}

/** Publishes in a transaction of its own. A dry run reports the effect and stores nothing. */
export async function inOneStep(
  writer: WriteContext,
  isDryRun: boolean,
  publish: (tx: Transaction) => Promise<Published>,
): Promise<PublishedAnswer> {
  const run = async (tx: Transaction) => {
    const { number, review } = await publish(tx);
    return { release: toReleaseJson(await requireRelease(number, tx.session)), review };
  };
  if (!isDryRun) return { release: (await inTransaction(writer, run)).release };
  const { release, review } = await inDryRun(writer, run);
  return { release, ...(await describeReview(review)) };
}

/**
 * Publishes reviewed items as one release (`releases.md` L6 to L10). Throws AppError 400 for an item that does not
 * exist; 409 with `data.moved` for items changed since the review, with `data.checks` for what blocks it, if nothing is
 * to publish, and where another person has to approve it. The error must abort the transaction.
 */
export async function publishRelease(tx: Transaction, request: PublicationRequest): Promise<Published> {
  const { changes, review, findings } = await requireReviewed(tx, request);
  const publications = await loadPublications(tx, changes);
  const { rollout = null } = request;
  if (rollout !== null && publications.length === 0) throw new AppError("invalid", onlyAppsSentence);
  const apps = changes.filter(({ family }) => family === "app");
  const released = await writeRelease(tx, "release", { publications, apps, rollout, ...remarksOf(request, findings) });
  return { ...released, review };
}

const onlyAppsSentence =
  "Decisions about apps take effect for all cars at once: a rollout needs a group, message, vehicle data or the module config";

/** The checks of `publishRelease`; throws like it. */
export async function requireReviewed(tx: Transaction, request: PublicationRequest) {
  const state = await readState(tx);
  const { changes, moved } = chooseItems(state, request.items);
  if (moved.length > 0) throw await describeMoved(tx, moved);
  const review = await reviewItems(state, changes);
  return { changes, review, findings: await requirePublishable(review, request) };
}

/** The remarks of a release: a reason counts only if there were findings to override. */
export function remarksOf({ name, note, reason }: ReleaseRequest, findings: Review["checks"]) {
  return { name, note, reason: findings.length === 0 ? null : reason, findings };
}

async function loadPublications(tx: Transaction, changes: readonly StagedChange[]): Promise<Publication[]> {
  const publications: Publication[] = [];
  // Sequential, because operations of a transaction must not run concurrently.
  for (const name of namesOf(recordItems)) {
    const ids = changes.flatMap(({ family, id }) => (family === name ? id : []));
    if (ids.length === 0) continue;
    const family = recordItems[name];
    publications.push({ family, records: await family.load(ids, tx.session) });
  }
  return publications;
}

/** The 409 that lists which items have changed since the review, by whom and when. */
async function describeMoved(tx: Transaction, moved: Choice["moved"]): Promise<AppError> {
  const told = [];
  for (const { family, key, id, reviewedId } of moved) {
    const recordId = id ?? reviewedId;
    const target = (await loadBodies(family, [recordId], tx.session)).get(recordId)?.target ?? "";
    const origin = (await findOrigins(family, [{ id: recordId, target }], tx.session)).get(recordId);
    told.push({ family, key, id, author: origin?.author ?? null, at: origin?.at ?? null });
  }
  const sentence = "The reviewed items have changed; nothing was published";
  return new AppError("conflict", sentence, { data: { moved: told } });
}

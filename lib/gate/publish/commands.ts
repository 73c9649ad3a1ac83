import "server-only";
import { inDryRun } from "@/lib/platform/db/dry-run";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import type { PublishedAnswer } from "@/lib/content/releases/answer-schema";
import { type PublicationRequest, publishRelease, type Published } from "@/lib/gate/publish/publish-release";
import { returnToRelease } from "@/lib/gate/publish/return-to-release";
import { describeEffect } from "@/lib/gate/publish/review";
import type { ReturnBody } from "@/lib/gate/publish/schema";
import { requireRelease, toReleaseJson } from "@/lib/content/releases/queries";

/**
 * Publishes reviewed items (rules L6 to L10).
 *
 * @throws AppError as `publishRelease`
 */
export function savePublication(
  { dry_run: isDryRun, ...request }: PublicationRequest & { readonly dry_run: boolean },
  writer: WriteContext,
): Promise<PublishedAnswer> {
  return inOneStep(writer, isDryRun, (tx) => publishRelease(tx, request));
}

/**
 * Makes production what it was as of a release, as a new one (rule L12).
 *
 * @throws AppError as `returnToRelease`
 */
export function saveReturn(
  number: number,
  { dry_run: isDryRun, ...request }: ReturnBody,
  writer: WriteContext,
): Promise<PublishedAnswer> {
  return inOneStep(writer, isDryRun, (tx) => returnToRelease(tx, number, request));
}

async function inOneStep(
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
  return { release, checks: [...review.checks], effect: await describeEffect(review) };
}

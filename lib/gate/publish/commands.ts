import "server-only";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { errorNamed } from "@/lib/platform/errors";
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

/** Ends a transaction whose result was wanted, and not its writes (rule L10). */
class DryRun extends Error {
  override readonly name = "DryRun";
  constructor(
    readonly release: PublishedAnswer["release"],
    readonly published: Published,
  ) {
    super("nothing is stored in a dry run");
  }
}
const isDryRunError = errorNamed<DryRun>("DryRun");

async function inOneStep(
  writer: WriteContext,
  isDryRun: boolean,
  publish: (tx: Transaction) => Promise<Published>,
): Promise<PublishedAnswer> {
  try {
    const release = await inTransaction(writer, async (tx) => {
      const published = await publish(tx);
      const json = toReleaseJson(await requireRelease(published.number, tx.session));
      if (isDryRun) throw new DryRun(json, published);
      return json;
    });
    return { release };
  } catch (error) {
    if (!isDryRunError(error)) throw error;
    const { review } = error.published;
    return { release: error.release, checks: [...review.checks], effect: await describeEffect(review) };
  }
}

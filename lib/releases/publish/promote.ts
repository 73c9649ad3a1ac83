import "server-only";
import { findHeads } from "@/lib/platform/db/heads";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { requireNoNewFaults } from "@/lib/policy/checks/promotion-check";
import { followedSnapshot } from "@/lib/policy/status";
import type { AnyFamily, StoredMembers } from "@/lib/records/store/family";
import { selectPromotable } from "@/lib/records/store/views";
import { type Publication, writeRelease } from "@/lib/releases/publish/write-release";

export interface Promotion {
  readonly family: AnyFamily;
  /** Only these ids; those with nothing to publish are skipped. Undefined: all. */
  readonly ids?: readonly number[] | undefined;
}

/**
 * Publishes the latest unpublished records, all or none. Records may depend on others in the set. Throws AppError 400
 * if a family's requirements are not met; 409 with `data.findings` for new faults, and if another person has to
 * approve.
 */
export async function promoteRecords(
  promotions: readonly Promotion[],
  { force }: { readonly force: boolean },
  writer: WriteContext,
): Promise<void> {
  if (promotions.every(({ ids }) => ids?.length === 0)) return;
  await inTransaction(writer, async (tx) => {
    const publications = await findPublications(promotions, tx);
    if (publications.length === 0) {
      tx.keepRevision();
      return;
    }
    const about = { families: publications.map(({ family }) => family.item), known: followedSnapshot() };
    await requireNoNewFaults(tx, about, force, () => writeRelease(tx, "direct", { publications }));
  });
}

async function findPublications(promotions: readonly Promotion[], tx: Transaction): Promise<Publication[]> {
  const found: Publication[] = [];
  for (const { family, ids } of promotions) {
    const records = await loadPromotable(family, ids, tx);
    if (records.length > 0) found.push({ family, records });
  }
  return found;
}

async function loadPromotable(
  family: AnyFamily,
  ids: readonly number[] | undefined,
  { session }: Transaction,
): Promise<readonly StoredMembers[]> {
  const heads = (await findHeads(family, "staging", { session })).map(({ id }) => id);
  const asked = new Set(ids ?? heads);
  const wanted = heads.filter((id) => asked.has(id));
  return selectPromotable(wanted, await family.load(wanted, session)).sort((a, b) => a.id - b.id);
}

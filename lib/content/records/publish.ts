import "server-only";
import { findHeads } from "@/lib/platform/db/heads";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import type { Transaction } from "@/lib/platform/db/transaction";
import { type AnyFamily, comparableOf, type StoredMembers } from "@/lib/content/records/family";
import { storeRecords } from "@/lib/content/records/store";
import { selectPromotable } from "@/lib/content/records/views";
import type { OpenRelease } from "@/lib/content/releases/record-release";
import type { ReleasedItem } from "@/lib/content/releases/store-release";
import { summarizeChange } from "@/lib/content/releases/summary";
import { nameChange } from "@/lib/content/releases/vocabulary";

/** What of a family is promoted. */
export interface Promotion {
  readonly family: AnyFamily;
  /** Only these; ids with nothing to publish are skipped. Undefined: all. */
  readonly ids?: readonly number[] | undefined;
}

/** Records of a family whose contents are to be in production; of any age and status. */
export interface Publication {
  readonly family: AnyFamily;
  readonly records: readonly StoredMembers[];
}

/** Finds what there is to promote: newest records of their keys that are not published. Families without any are left out. */
export async function findPublications(promotions: readonly Promotion[], tx: Transaction): Promise<Publication[]> {
  const found: Publication[] = [];
  for (const { family, ids } of promotions) {
    const records = await loadPromotable(family, ids, tx);
    if (records.length > 0) found.push({ family, records });
  }
  return found;
}

/**
 * Stores copies of records as those of production, deletions included: the only writer of PRODUCTION records besides first
 * data (`releases.md` L2). What the records need of each other may be among them.
 *
 * @param release what they become part of; to be recorded in the same transaction (`recordRelease`)
 * @returns what this does to production
 * @throws AppError 400 for what a family requires of what is in production
 */
export async function copyToProduction(
  tx: Transaction,
  release: OpenRelease,
  publications: readonly Publication[],
): Promise<ReleasedItem[]> {
  const items: ReleasedItem[] = [];
  for (const publication of publications) items.push(...(await storeCopies(publication, release, tx)));
  for (const { family, records } of publications) await family.requirePromotable?.(tx, records);
  return items;
}

async function storeCopies(
  { family, records }: Publication,
  { number }: OpenRelease,
  tx: Transaction,
): Promise<ReleasedItem[]> {
  const served = await loadServed(family, records, tx);
  const copies = await storeRecords(family, tx, records, { status: "PRODUCTION", release: number });
  return records.flatMap((record, index) => {
    const copy = copies[index];
    if (copy === undefined) return [];
    tx.record({
      action: `${family.area}.promote`,
      target: family.targetOf(copy),
      before: record.id,
      after: copy.id,
    });
    return [describeItem(family, served.get(family.keyOf(record)) ?? null, record, copy.id)];
  });
}

function describeItem(family: AnyFamily, before: Served | null, record: StoredMembers, id: number): ReleasedItem {
  const afterId = record.isDeleted === true ? null : id;
  const beforeId = before === null || before.record?.isDeleted === true ? null : before.id;
  const change = nameChange(beforeId !== null, afterId !== null);
  const summary =
    before !== null && before.record === null
      ? "replaces a damaged record"
      : summarizeChange(
          family.item,
          before?.record ? comparableOf(family, before.record) : null,
          comparableOf(family, record),
        );
  return { family: family.item, key: family.keyOf(record), beforeId, afterId, change, summary };
}

/** What production has of a key. */
interface Served {
  readonly id: number;
  /** Null: it is damaged. */
  readonly record: StoredMembers | null;
}

async function loadServed(
  family: AnyFamily,
  records: readonly StoredMembers[],
  tx: Transaction,
): Promise<Map<string, Served>> {
  const keys = records.map((record) => family.keyOf(record));
  const heads = await findHeads(family, "production", { keys, session: tx.session });
  const loaded = await loadUndamaged(
    family,
    heads.map(({ id }) => id),
    tx,
  );
  const byId = new Map(loaded.map((record) => [record.id, record]));
  return new Map(heads.map(({ key, id }) => [key, { id, record: byId.get(id) ?? null }]));
}

/** What is damaged must not keep anybody from replacing it. */
async function loadUndamaged(family: AnyFamily, ids: readonly number[], tx: Transaction) {
  try {
    return await family.load(ids, tx.session);
  } catch (error) {
    // The driver repeats the transaction for what it has labelled.
    if (isUnavailable(error) || (error instanceof Error && "errorLabels" in error)) throw error;
    return [];
  }
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

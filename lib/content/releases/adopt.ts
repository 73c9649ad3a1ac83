import { onlyKey, recordFamilies, storeOf } from "@/lib/platform/db/heads";
import { rawCollection, type RawDocument } from "@/lib/platform/db/raw";
import type { Author, Transaction } from "@/lib/platform/db/transaction";
import { storeRelease, type ReleasedItem } from "@/lib/content/releases/store-release";
import { nameChange, type RecordItemFamily } from "@/lib/labels/release-items";
import { namesOf } from "@/lib/labels/members";
import { distinct } from "@/lib/labels/order";

const inProduction = { status: "PRODUCTION" } as const;
/** Equal to null: what is not stored, too. */
const unreleased = { ...inProduction, release: null } as const;

/**
 * Makes a release of the PRODUCTION records that carry none: those of a database of an earlier version, and what an instance
 * of one promotes while another serves this version already (`releases.md` L2). The first release there is, is of kind
 * `first`.
 *
 * @param author who brought them into production; null: nobody knows
 */
export async function adoptUnreleased(tx: Transaction, author: Author | null): Promise<void> {
  const found: { readonly family: RecordItemFamily; readonly records: readonly RawDocument[] }[] = [];
  for (const family of namesOf(recordFamilies)) {
    const records = await collectionOf(family).find(unreleased, inOrder(tx, family)).toArray();
    if (records.length > 0) found.push({ family, records });
  }
  if (found.length === 0) return;
  const number = await tx.nextId("releases");
  const items: ReleasedItem[] = [];
  for (const { family, records } of found) {
    const isFirst = number === 1;
    const before = isFirst ? new Map<string, RawDocument>() : await findBefore(tx, family, records);
    items.push(...buildItems(family, records, before, isFirst));
    // Past the schema: `updatedAt` is part of what a table is made from (rule V1).
    await collectionOf(family).updateMany(unreleased, { $set: { release: number } }, { session: tx.session });
  }
  const at = latest(found.flatMap(({ records }) => records)) ?? tx.now;
  const kind = number === 1 ? ("first" as const) : ("direct" as const);
  const facts = { kind, name: null, note: null, reason: null, findings: [], returnedTo: null, approvedBy: null };
  // Whatever revision they came with, it is served since the last one before this transaction at the latest.
  await storeRelease(tx, number, { ...facts, author, at, revision: tx.revision - 1 }, items);
}

const collectionOf = (family: RecordItemFamily) => rawCollection(recordFamilies[family].model);

function inOrder({ session }: Transaction, family: RecordItemFamily) {
  const { keyField } = storeOf(family);
  const ofKey = keyField === null ? {} : { [keyField]: 1 };
  return { session, projection: { ...ofKey, isDeleted: 1, createdAt: 1 }, sort: { _id: 1 } } as const;
}

function keyOf(family: RecordItemFamily, document: RawDocument): string {
  const { keyField } = storeOf(family);
  const key = keyField === null ? onlyKey : document[keyField];
  return typeof key === "string" ? key : "";
}

/** What production had of these keys. */
async function findBefore(tx: Transaction, family: RecordItemFamily, records: readonly RawDocument[]) {
  const { keyField } = storeOf(family);
  const keys = distinct(records.map((record) => keyOf(family, record)));
  const ofKeys = keyField === null ? {} : { [keyField]: { $in: keys } };
  const filter = { ...inProduction, release: { $ne: null }, ...ofKeys };
  return newestByKey(family, await collectionOf(family).find(filter, inOrder(tx, family)).toArray());
}

/** Records come in ascending id. */
function newestByKey(family: RecordItemFamily, records: readonly RawDocument[]): Map<string, RawDocument> {
  return new Map(records.map((record) => [keyOf(family, record), record]));
}

function buildItems(
  family: RecordItemFamily,
  records: readonly RawDocument[],
  before: ReadonlyMap<string, RawDocument>,
  isFirst: boolean,
): ReleasedItem[] {
  return [...newestByKey(family, records)].flatMap(([key, record]) => {
    const beforeId = idOf(before.get(key));
    const afterId = idOf(record);
    // What was deleted long ago is no part of what there is at the beginning.
    if (isFirst && afterId === null) return [];
    const change = nameChange(beforeId !== null, afterId !== null);
    const summary = isFirst ? "in production when releases began" : "promoted by an instance of an earlier version";
    return [{ family, key, beforeId, afterId, change, summary }];
  });
}

/** Null for a deletion: then nothing is there. */
function idOf(record: RawDocument | undefined): number | null {
  return record === undefined || record.isDeleted === true ? null : record._id;
}

function latest(records: readonly RawDocument[]): Date | null {
  const times = records.flatMap(({ createdAt }) => (createdAt instanceof Date ? [createdAt] : []));
  return times.reduce<Date | null>((newest, time) => (newest === null || time > newest ? time : newest), null);
}

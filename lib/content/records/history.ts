import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import { rawCollection } from "@/lib/platform/db/raw";
import { comparableOf, type RecordFamily, type StoredMembers } from "@/lib/content/records/family";
import type { Author } from "@/lib/platform/db/transaction";
import { readKeptEdit } from "@/lib/content/releases/kept-edit";
import { summarizeChange } from "@/lib/content/releases/summary";
import { distinct } from "@/lib/labels/order";
import type { RecordStatus } from "@/lib/labels/vocabulary";
import { AuditEventModel } from "@/models/audit-event";

/** Who made the edit that a record holds. */
export interface HistoryAuthor extends Author {
  /** E.g. `groups.save`. */
  readonly action: string;
}

/** One record of a key as its history tells it. */
export interface HistoryEntry {
  readonly id: number;
  readonly status: RecordStatus;
  /** The release that wrote it; null: it waits in staging, or nobody has said yet. */
  readonly release: number | null;
  readonly isDeleted: boolean;
  /** When the edit was made; a return stores edits that wait once more (`releases.md` L12). */
  readonly at: Date;
  /** Null when the audit trail does not go back so far. */
  readonly author: HistoryAuthor | null;
  /** What differs from the record before, in a sentence. */
  readonly summary: string;
}

export interface HistoryPage {
  readonly entries: readonly HistoryEntry[];
  /** `cursor` of the next page; null after the last one. */
  readonly nextCursor: number | null;
}

/**
 * Tells the history of a key, newest first (`releases.md` L13): promotions and deletions are records as well.
 *
 * @param paging.cursor only what is older than this id
 * @throws DatabaseUnavailable
 */
export async function recordHistory<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  key: string,
  { limit, cursor }: { readonly limit: number; readonly cursor?: number | undefined },
): Promise<HistoryPage> {
  await requireDatabase();
  const ofKey = family.keyField === null ? {} : { [family.keyField]: key };
  const older = cursor === undefined ? {} : { _id: { $lt: cursor } };
  const projection = { createdAt: 1, release: 1 };
  const stored = rawCollection(family.model).find({ ...ofKey, ...older }, { projection });
  // One more than wanted: the last of a page is compared with it, and it tells whether there is a next page.
  const found = await stored
    .sort({ _id: -1 })
    .limit(limit + 1)
    .toArray();
  const facts = new Map(found.map((document) => [document._id, document]));
  const records = (await family.load([...facts.keys()])).toSorted((a, b) => b.id - a.id);
  const shown = records.filter(({ id }) => found.findIndex(({ _id }) => _id === id) < limit);
  const edits = await findEdits(family, shown);
  const entries = shown.map((record, index): HistoryEntry => {
    const createdAt = facts.get(record.id)?.createdAt;
    const release = facts.get(record.id)?.release;
    return {
      id: record.id,
      status: record.status,
      release: typeof release === "number" ? release : null,
      isDeleted: record.isDeleted ?? false,
      at: edits.get(record.id)?.at ?? (createdAt instanceof Date ? createdAt : new Date(0)),
      author: edits.get(record.id)?.author ?? null,
      summary: summarize(family, records[index + 1] ?? null, record),
    };
  });
  return { entries, nextCursor: found.length > limit ? (found[limit - 1]?._id ?? null) : null };
}

/** A promotion brings the same content to another place. */
function summarize<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  before: R | null,
  record: R,
): string {
  const body = comparableOf(family, record);
  const bodyBefore = before && comparableOf(family, before);
  if (body === null || (before !== null && bodyBefore === null)) return "cannot be compared: a record is damaged";
  if (before?.status === "STAGING" && record.status === "PRODUCTION") {
    const isSame = JSON.stringify(body) === JSON.stringify(bodyBefore);
    if (isSame) return record.isDeleted === true ? "deletion published" : "published";
  }
  return summarizeChange(family.item, bodyBefore, body);
}

/** Whose edit a record holds. */
interface StoredEdit {
  readonly author: HistoryAuthor | null;
  /** Null: when the record was stored. */
  readonly at: Date | null;
}

/** By the ids of the records. */
async function findEdits<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  records: readonly R[],
): Promise<Map<unknown, StoredEdit>> {
  const events = await AuditEventModel.find({
    target: { $in: distinct(records.map((record) => family.targetOf(record))) },
    after: { $in: records.map(({ id }) => id) },
  }).lean();
  return new Map(
    events.map(({ before, after, actor, displayName, isNameVerified, action }): [unknown, StoredEdit] => {
      const kept = readKeptEdit(before);
      if (kept !== null) return [after, { author: kept.author && { ...kept.author, action }, at: kept.at }];
      return [after, { author: { actor, displayName: displayName ?? null, isNameVerified, action }, at: null }];
    }),
  );
}

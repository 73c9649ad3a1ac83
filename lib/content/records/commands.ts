import "server-only";
import { findHeads } from "@/lib/platform/db/heads";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { distinct } from "@/lib/labels/order";
import { type Comparison, findNewFaults, requireNoNewFaults } from "@/lib/policy/checks/promotion-check";
import type { AnyFamily, NewRecord, RecordFamily, StoredMembers } from "@/lib/content/records/family";
import { followedSnapshot } from "@/lib/policy/status";
import { copyToProduction, findPublications, type Promotion, type Publication } from "@/lib/content/records/publish";
import { storeRecords } from "@/lib/content/records/store";
import { beginRelease, recordRelease } from "@/lib/content/releases/record-release";
import { propose } from "@/lib/content/releases/proposal";
import { itemStores } from "@/lib/content/releases/stores";

/** One record that somebody saves. */
export interface Edit<C> {
  readonly content: C;
  /** The record the edit started from, 0 for none; null: it is not compared. */
  readonly baseId: number | null;
  /** The edit as its route would answer it, for a conflict. */
  submitted(tx: Transaction): Promise<unknown>;
}

/**
 * Saves edits of one family as new STAGING records, all or none; edits, deletes and restores alike.
 *
 * @param edits what is saved, or what makes it from the data that the transaction sees
 * @returns the records as stored, and the faults that they bring to the staging table
 * @throws AppError 400 for what the family requires; 409 with `data.current` and `data.submitted` for the first edit whose
 *   `baseId` is not the newest record of its key. A key whose deletion was promoted is free: it conflicts with 0 no more
 */
export async function saveRecords<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  edits: readonly Edit<C>[] | ((tx: Transaction) => Promise<readonly Edit<C>[]>),
  writer: WriteContext,
): Promise<{ readonly records: readonly NewRecord<C>[]; readonly findings: readonly HeadUnitFinding[] }> {
  return inTransaction(writer, async (tx) => {
    const wanted = typeof edits === "function" ? await edits(tx) : edits;
    const newest = await requireEditable(family, wanted, tx);
    const { findings, value: records } = await findNewFaults(tx, "staging", comparisonOf([family]), () =>
      storeEdits(family, wanted, newest, tx),
    );
    return { records, findings };
  });
}

/**
 * Saves edits of one family within a transaction that saves more than that; the caller looks for faults.
 *
 * @throws AppError as `saveRecords`
 */
export async function saveInTransaction<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  edits: readonly Edit<C>[],
  tx: Transaction,
): Promise<readonly NewRecord<C>[]> {
  return storeEdits(family, edits, await requireEditable(family, edits, tx), tx);
}

/** Checks edits against what is stored; gives the newest ids of their keys. */
async function requireEditable<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  edits: readonly Edit<C>[],
  tx: Transaction,
): Promise<Map<string, number>> {
  const contents = edits.map(({ content }) => content);
  const newest = await findNewestIds(family, contents, tx);
  await family.requireSavable?.(tx, contents);
  for (const edit of edits) await requireFresh(family, edit, newest, tx);
  return newest;
}

async function storeEdits<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  edits: readonly Edit<C>[],
  newest: Map<string, number>,
  tx: Transaction,
): Promise<readonly NewRecord<C>[]> {
  const contents = edits.map(({ content }) => content);
  const stored = await storeRecords(family, tx, contents, { status: "STAGING" });
  for (const record of stored) {
    const key = family.keyOf(record);
    const action = `${family.area}.${family.saveVerb?.(record) ?? "save"}`;
    tx.record({ action, target: family.targetOf(record), before: newest.get(key) ?? null, after: record.id });
    newest.set(key, record.id);
  }
  return stored;
}

/**
 * Saves a stored record once more: an undo, with `isDeleted` a deletion or the end of one.
 *
 * @param id any record of the history, promoted or not
 * @param options.baseId the newest record of its key, as somebody saw it; null: it is not compared
 * @throws AppError 404 for an unknown id, else as `saveRecords`
 */
export async function saveAgain<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  id: number,
  options: { readonly baseId: number | null; readonly isDeleted?: boolean },
  writer: WriteContext,
): Promise<readonly HeadUnitFinding[]> {
  const edit = async (tx: Transaction) => {
    const [record] = await family.load([id], tx.session);
    if (record === undefined) throw new AppError("notFound", `There is no record ${id}`);
    const content = options.isDeleted === undefined ? record : { ...record, isDeleted: options.isDeleted };
    return [{ content, baseId: options.baseId, submitted: () => family.toJson(content, tx.session) }];
  };
  return (await saveRecords(family, edit, writer)).findings;
}

/**
 * Publishes the newest records of families that are not published yet, deletions included: all or none, as a release of its
 * own (`releases.md` L2). What they need of each other may be among them.
 *
 * @param options.force publishes whatever is found
 * @throws AppError 400 for what a family requires; 409 with `data.findings` when the production table would have new
 *   faults afterwards, and where another person has to approve it (`people.md` P9)
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
    const release = await beginRelease(tx, "direct");
    const about = comparisonOf(publications.map(({ family }) => family));
    const items = await requireNoNewFaults(tx, about, force, () => copyToProduction(tx, release, publications));
    propose(tx, { release: "direct", items: publications.flatMap(listPlanned), findings: null });
    await recordRelease(tx, release, {}, items);
  });
}

function comparisonOf(written: readonly Pick<AnyFamily, "item">[]): Comparison {
  return { families: written.map(({ item }) => itemStores[item]), known: followedSnapshot() };
}

function listPlanned({ family, records }: Publication) {
  return records.map((record) => ({ family: family.item, key: family.keyOf(record), id: record.id }));
}

/** Ids of the newest records of these keys. */
async function findNewestIds<C, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  contents: readonly C[],
  { session }: Transaction,
): Promise<Map<string, number>> {
  const keys = distinct(contents.map((content) => family.keyOf(content)));
  const heads = await findHeads(family, "staging", { keys, session });
  return new Map(heads.map(({ key, id }) => [key, id]));
}

async function requireFresh<C, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  edit: Edit<C>,
  newest: ReadonlyMap<string, number>,
  tx: Transaction,
): Promise<void> {
  const { content, baseId } = edit;
  const newestId = newest.get(family.keyOf(content)) ?? 0;
  if (baseId === null || baseId === newestId) return;
  if (newestId === 0 && family.takesOverNames === true) return;
  const [current] = newestId === 0 ? [] : await family.load([newestId], tx.session);
  // A deletion that is promoted leaves a record, but nothing of that name.
  if (baseId === 0 && current?.isDeleted === true && current.status === "PRODUCTION") return;
  throw new AppError(
    "conflict",
    `${family.subjectOf(content)} was changed meanwhile; base_id is not its newest record`,
    {
      data: {
        current: current === undefined ? null : await family.toJson(current, tx.session),
        submitted: await edit.submitted(tx),
      },
    },
  );
}

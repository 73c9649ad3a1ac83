import "server-only";
import { findHeads } from "@/lib/platform/db/heads";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import type { HeadUnitFinding } from "@/lib/policy/head-unit/head-unit-check";
import { distinct } from "@/lib/vocabulary/order";
import { findNewFaults } from "@/lib/policy/checks/promotion-check";
import type { NewRecord, RecordFamily, StoredMembers } from "@/lib/records/store/family";
import { followedSnapshot } from "@/lib/policy/status";

export interface Edit<C> {
  readonly content: C;
  /** Id of the record that the edit is based on, 0 for none; null skips the comparison. */
  readonly baseId: number | null;
  /** What a conflict tells of the edit; default: its content. */
  submitted?(tx: Transaction): Promise<unknown>;
}

/**
 * Saves edits of one family as new STAGING records, all or none; deletes and restores are edits too. Throws AppError
 * 400 if the family refuses an edit, and 409 with `data.current` and `data.submitted` for the first edit whose `baseId`
 * is not the newest record of its key.
 */
export async function saveRecords<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  edits: readonly Edit<C>[] | ((tx: Transaction) => Promise<readonly Edit<C>[]>),
  writer: WriteContext,
): Promise<{ readonly records: readonly NewRecord<C>[]; readonly findings: readonly HeadUnitFinding[] }> {
  return inTransaction(writer, async (tx) => {
    const wanted = typeof edits === "function" ? await edits(tx) : edits;
    const newest = await requireEditable(family, wanted, tx);
    const { findings, value: records } = await findNewFaults(
      tx,
      "staging",
      { families: [family.item], known: followedSnapshot() },
      () => storeEdits(family, wanted, newest, tx),
    );
    return { records, findings };
  });
}

/** Saves edits as part of a larger transaction; throws like `saveRecords`. The caller checks for findings. */
export async function saveInTransaction<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  edits: readonly Edit<C>[],
  tx: Transaction,
): Promise<readonly NewRecord<C>[]> {
  return storeEdits(family, edits, await requireEditable(family, edits, tx), tx);
}

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
    const isDeleted = "isDeleted" in record && record.isDeleted === true;
    const action = `${family.area}.${isDeleted ? "delete" : "save"}`;
    tx.record({ action, target: family.targetOf(record), before: newest.get(key) ?? null, after: record.id });
    newest.set(key, record.id);
  }
  return stored;
}

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
  // A published deletion leaves a record, but the name is free again.
  if (baseId === 0 && current?.isDeleted === true && current.status === "PRODUCTION") return;
  throw new AppError(
    "conflict",
    `${family.subjectOf(content)} was changed meanwhile; base_id is not its newest record`,
    {
      data: {
        current: current === undefined ? null : await family.toJson(current, tx.session),
        submitted:
          edit.submitted === undefined
            ? await family.toJson({ ...content, status: "STAGING" }, tx.session)
            : await edit.submitted(tx),
      },
    },
  );
}

type StoredPlace = { readonly status: "STAGING" } | { readonly status: "PRODUCTION"; readonly release: number };

/** Number of documents validated in one go, at half a millisecond each. */
const atOnce = 100;

export async function storeRecords<C extends object, R extends C & StoredMembers>(
  family: RecordFamily<C, R>,
  tx: Transaction,
  contents: readonly C[],
  place: StoredPlace,
): Promise<readonly NewRecord<C>[]> {
  const numbered = await family.number(tx, contents);
  const { status } = place;
  const records = numbered.map((content) => ({ ...content, status, createdAt: tx.now, updatedAt: tx.now }));
  const documents = records.map((record) => {
    const { id: _id, ...members } = record;
    return { ...members, ...family.seal?.(record), ...place, _id };
  });
  for (let from = 0; from < documents.length; from += atOnce) {
    const some = documents.slice(from, from + atOnce);
    await family.model.insertMany(some, { session: tx.session, timestamps: false });
  }
  return records;
}

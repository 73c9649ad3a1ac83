import "server-only";
import { requireDatabase } from "@/lib/platform/db/connection/connect";
import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { saveRecords } from "@/lib/content/records/commands";
import { type AnyFamily, comparableOf, type StoredMembers } from "@/lib/content/records/family";
import { type HistoryPage, recordHistory } from "@/lib/content/records/history";
import { findHeads } from "@/lib/platform/db/heads";
import type { FieldChangeJson, HistoryAnswer } from "@/lib/content/releases/answer-schema";
import { listFieldChanges } from "@/lib/content/releases/fields";
import { appHistory, loadComparableVersions } from "@/lib/gate/items/app-versions";
import { recordItems } from "@/lib/gate/items/families";
import type { HistoryQuery, RestoreBody } from "@/lib/gate/items/schema";
import { findReleasesOfApp, toAuthorJson } from "@/lib/content/releases/queries";
import { type ItemKey, itemNouns } from "@/lib/content/releases/vocabulary";

/** An item as it stands in a sentence. */
const nameOf = ({ family, key }: ItemKey) => (key === "" ? itemNouns[family] : `${itemNouns[family]} ${key}`);

/**
 * Tells the stored versions of an item, newest first (`releases.md` L13); of an app those that the directory has delivered.
 *
 * @throws AppError 404 for an item that there never was; DatabaseUnavailable
 */
export async function tellHistory(item: ItemKey, paging: HistoryQuery): Promise<HistoryAnswer> {
  const { entries, nextCursor } = await loadHistory(item, paging);
  if (entries.length === 0 && paging.cursor === undefined) {
    throw new AppError("notFound", `There never was ${item.family === "app" ? "an" : "a"} ${nameOf(item)}`);
  }
  return {
    versions: entries.map(({ id, status, release, at, author, isDeleted, summary }) => {
      return {
        id,
        status,
        release,
        author: toAuthorJson(author),
        at: at.toISOString(),
        is_deleted: isDeleted,
        summary,
      };
    }),
    next_cursor: nextCursor,
  };
}

async function loadHistory({ family, key }: ItemKey, paging: HistoryQuery): Promise<HistoryPage> {
  if (family !== "app") return recordHistory(recordItems[family], key, paging);
  const { entries, nextCursor } = await appHistory(key, paging);
  const releases = await findReleasesOfApp(key);
  return { entries: entries.map((entry) => ({ ...entry, release: releases.get(entry.id) ?? null })), nextCursor };
}

/**
 * Compares two versions of an item (`releases.md` L13).
 *
 * @throws AppError 404 for an id that is none of its versions; DatabaseUnavailable
 */
export async function compareVersions(item: ItemKey, from: number, to: number): Promise<FieldChangeJson[]> {
  const bodies = await loadBodies(item, [from, to]);
  const bodyOf = (id: number): object => {
    const body = bodies.get(id);
    if (body === undefined) throw new AppError("notFound", `The ${nameOf(item)} has no version ${id}`);
    return body;
  };
  return listFieldChanges(bodyOf(from), bodyOf(to));
}

/** Bodies of versions by their ids; those of other items, and damaged ones, are left out. */
async function loadBodies({ family, key }: ItemKey, ids: readonly number[]): Promise<Map<number, object>> {
  await requireDatabase();
  if (family === "app") {
    const versions = (await loadComparableVersions(ids)).filter(({ uuid }) => uuid === key);
    return new Map(versions.map(({ id, body }) => [id, body]));
  }
  const source = recordItems[family];
  const records = (await source.load(ids)).filter((record) => source.keyOf(record) === key);
  return new Map(
    records.flatMap((record): [number, object][] => {
      const body = comparableOf(source, record);
      return body === null ? [] : [[record.id, body]];
    }),
  );
}

/**
 * Brings an older content of an item forward as a new staging version (`releases.md` L13).
 *
 * @returns the id of the new version
 * @throws AppError 400 for an app, whose versions are the directory's, and for a version that is a deletion; 404 for an id
 *   that is none of its versions; 409 when its newest version says the same, or as `saveRecords`
 */
export async function restoreVersion(item: ItemKey, body: RestoreBody, writer: WriteContext): Promise<number> {
  if (item.family === "app") {
    throw new AppError("invalid", "A version of an app is not restored: accept it on the page of the app");
  }
  const family = recordItems[item.family];
  const edit = async (tx: Transaction) => {
    const content = await requireRestorable(family, item, body.id, tx);
    return [{ content, baseId: body.base_id, submitted: () => family.toJson(content, tx.session) }];
  };
  const { records } = await saveRecords(family, edit, writer);
  const [saved] = records;
  if (saved === undefined) throw new RangeError("one edit gives one record");
  return saved.id;
}

async function requireRestorable(
  family: AnyFamily,
  item: ItemKey,
  id: number,
  { session }: Transaction,
): Promise<StoredMembers> {
  const [record] = await family.load([id], session);
  if (record === undefined || family.keyOf(record) !== item.key) {
    throw new AppError("notFound", `The ${nameOf(item)} has no version ${id}`);
  }
  if (record.isDeleted === true) {
    throw new AppError("invalid", `Version ${id} of the ${nameOf(item)} is its deletion; restore one before it`);
  }
  const [head] = await findHeads(family, "staging", { keys: [item.key], session });
  const [newest] = head === undefined ? [] : await family.load([head.id], session);
  const isSame =
    newest !== undefined &&
    newest.isDeleted !== true &&
    listFieldChanges(comparableOf(family, newest), comparableOf(family, record)).length === 0;
  if (isSame)
    throw new AppError("conflict", `The newest version of the ${nameOf(item)} says the same as version ${id}`);
  return record;
}

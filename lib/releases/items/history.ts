import "server-only";
import { rawCollection, requireDatabase } from "@/lib/platform/db/connection/connect";
import { findHeads } from "@/lib/platform/db/heads";
import type { Transaction, WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { saveRecords } from "@/lib/records/store/commands";
import { recordItems } from "@/lib/records/families";
import { type AnyFamily, comparableOf, type StoredMembers } from "@/lib/records/store/family";
import type { FieldChangeJson, HistoryAnswer } from "@/lib/releases/answer-schema";
import { listFieldChanges } from "@/lib/releases/fields";
import { loadBodies } from "@/lib/releases/items/bodies";
import { findOrigins } from "@/lib/releases/items/origins";
import type { HistoryQuery, RestoreBody } from "@/lib/releases/schema";
import { findReleasesOfApp } from "@/lib/releases/queries";
import { summarizeChange } from "@/lib/releases/summary";
import { type ItemFamily, type ItemKey, nameItem, type RecordItemFamily } from "@/lib/vocabulary/release-items";
import type { RecordStatus } from "@/lib/vocabulary/terms";
import { ApplicationModel } from "@/models/application";

interface StoredVersion {
  readonly id: number;
  readonly status: RecordStatus;
  readonly release: number | null;
  readonly isDeleted: boolean;
  readonly at: Date;
}

/** Lists the stored versions of an item, newest first (`releases.md` L13); AppError 404 if it never existed. */
export async function listHistory(item: ItemKey, { limit, cursor }: HistoryQuery): Promise<HistoryAnswer> {
  await requireDatabase();
  const { family } = item;
  // The extra version is compared with the last of the page, and shows whether there is a next page.
  const page = { limit: limit + 1, cursor };
  const found = family === "app" ? await findAppVersions(item.key, page) : await findRecords(family, item.key, page);
  if (found.length === 0 && cursor === undefined) {
    throw new AppError("notFound", `The ${nameItem(item)} does not exist`);
  }
  const bodies = await loadBodies(
    family,
    found.map(({ id }) => id),
  );
  const shown = found.slice(0, limit);
  const origins = await findOrigins(family, [...bodies.values()]);
  const versions = shown.map((version, index) => {
    const { id, status, release, at, isDeleted } = version;
    const before = found[index + 1];
    const bodyOf = (one: StoredVersion) => ({ ...one, body: bodies.get(one.id)?.body ?? null });
    const origin = origins.get(id);
    return {
      ...{ id, status, release, is_deleted: isDeleted },
      author: origin?.author ?? null,
      at: (family === "app" ? undefined : origin?.at) ?? at.toISOString(),
      summary: summarize(family, before === undefined ? null : bodyOf(before), bodyOf(version)),
    };
  });
  return { versions, next_cursor: found.length > limit ? (shown.at(-1)?.id ?? null) : null };
}

async function findRecords(
  family: RecordItemFamily,
  key: string,
  { limit, cursor }: HistoryQuery,
): Promise<readonly StoredVersion[]> {
  const { model, keyField } = recordItems[family];
  const ofKey = keyField === null ? {} : { [keyField]: key };
  const older = cursor === undefined ? {} : { _id: { $lt: cursor } };
  const projection = { createdAt: 1, release: 1, status: 1, isDeleted: 1 };
  const stored = rawCollection(model).find({ ...ofKey, ...older }, { projection });
  return (await stored.sort({ _id: -1 }).limit(limit).toArray()).map((document) => {
    const { _id: id, status, createdAt, release, isDeleted } = document;
    return {
      id,
      status: status === "PRODUCTION" ? "PRODUCTION" : "STAGING",
      release: typeof release === "number" ? release : null,
      isDeleted: isDeleted === true,
      at: createdAt instanceof Date ? createdAt : new Date(0),
    };
  });
}

async function findAppVersions(uuid: string, { limit, cursor }: HistoryQuery): Promise<readonly StoredVersion[]> {
  const older = cursor === undefined ? {} : { _id: { $lt: cursor } };
  const found = await ApplicationModel.find({ uuid, ...older }, { approvalStatus: 1, storedAt: 1 })
    .sort({ _id: -1 })
    .limit(limit)
    .lean();
  const releases = await findReleasesOfApp(uuid);
  return found.map(({ _id: id, approvalStatus, storedAt: at }) => {
    const status = approvalStatus === "ACCEPTED" ? "PRODUCTION" : "STAGING";
    return { id, status, release: releases.get(id) ?? null, isDeleted: false, at };
  });
}

type ComparedVersion = StoredVersion & { readonly body: object | null };

/** A promotion moves the same content from staging to production. */
function summarize(family: ItemFamily, before: ComparedVersion | null, { body, status, isDeleted }: ComparedVersion) {
  if (body === null || before?.body === null) return "cannot be compared: a record is damaged";
  if (family !== "app" && before?.status === "STAGING" && status === "PRODUCTION") {
    const isSame = JSON.stringify(body) === JSON.stringify(before.body);
    if (isSame) return isDeleted ? "deletion published" : "published";
  }
  return summarizeChange(family, before && before.body, body);
}

/** Compares two versions of an item (`releases.md` L13); AppError 404 for an id that is none of its versions. */
export async function compareRecordVersions(item: ItemKey, from: number, to: number): Promise<FieldChangeJson[]> {
  await requireDatabase();
  const bodies = await loadBodies(item.family, [from, to]);
  const bodyOf = (id: number): object => {
    const version = bodies.get(id);
    if (version?.key === item.key && version.body !== null) return version.body;
    throw new AppError("notFound", `The ${nameItem(item)} has no version ${id}`);
  };
  return listFieldChanges(bodyOf(from), bodyOf(to));
}

/**
 * Stores an older content as a new staging version (`releases.md` L13) and returns its id. Throws AppError 400 for an
 * app or a deletion, 404 for an id that is none of its versions, 409 if the latest version has the same content.
 */
export async function restoreVersion(item: ItemKey, body: RestoreBody, writer: WriteContext): Promise<number> {
  if (item.family === "app") {
    throw new AppError("invalid", "App versions cannot be restored: approve the version on the page of the app");
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
    throw new AppError("notFound", `The ${nameItem(item)} has no version ${id}`);
  }
  if (record.isDeleted === true) {
    throw new AppError("invalid", `Version ${id} of the ${nameItem(item)} is its deletion; restore one before it`);
  }
  const [head] = await findHeads(family, "staging", { keys: [item.key], session });
  const [newest] = head === undefined ? [] : await family.load([head.id], session);
  const isSame =
    newest !== undefined &&
    newest.isDeleted !== true &&
    listFieldChanges(comparableOf(family, newest), comparableOf(family, record)).length === 0;
  if (isSame)
    throw new AppError("conflict", `The newest version of the ${nameItem(item)} says the same as version ${id}`);
  return record;
}

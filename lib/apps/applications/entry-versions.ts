import "server-only";
import { rawCollection, requireDatabase } from "@/lib/platform/db/connection/connect";
import { appVersionProjection, readAppVersion } from "@/lib/policy/documents/documents";
import { Interner } from "@/lib/policy/documents/interner";
import { entryVersion } from "@/lib/policy/table/app-policies";
import type { SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import { ApplicationModel } from "@/models/application";

/** Newest first, without versions that are unknown or that no entry can be made from. */
export async function loadEntryVersions(ids: readonly number[]): Promise<SnapshotAppVersion[]> {
  return [...(await loadSnapshotVersions(ids)).values()].map(entryVersion);
}

/** The same by id, as snapshots have them. */
export async function loadSnapshotVersions(ids: readonly number[]): Promise<ReadonlyMap<number, SnapshotAppVersion>> {
  if (ids.length === 0) return new Map();
  await requireDatabase();
  const documents = await rawCollection(ApplicationModel)
    .find({ _id: { $in: [...ids] } }, { projection: appVersionProjection })
    .sort({ _id: -1 })
    .toArray();
  const interner = new Interner();
  return new Map(
    documents.flatMap((document) => {
      const version = readAppVersion(document, interner);
      return version === null ? [] : [[version.id, version]];
    }),
  );
}

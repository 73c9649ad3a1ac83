import type { Environment, RecordStatus } from "@/lib/labels/vocabulary";

/**
 * What every versioned record has (`api.md` section 1); the id decides what is newest. The staging view has per key the
 * record with the greatest id, whatever its status; the production view the greatest id among those with status
 * PRODUCTION. Deleted records stay in a view; `isVisible` decides what a list shows.
 */
export interface VersionedRecord {
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
}

/**
 * Whether a list of the view shows the record. Staging also shows a deletion that is not promoted yet, so that it can
 * be undone, unless `hideDeleted` is asked for.
 */
export function isVisible(
  record: VersionedRecord,
  environment: Environment,
  options: { readonly hideDeleted?: boolean } = {},
): boolean {
  if (!record.isDeleted) return true;
  return environment === "staging" && record.status === "STAGING" && options.hideDeleted !== true;
}

/**
 * The records to promote out of the given ids: those of the staging view with status STAGING. Unknown, superseded and
 * already promoted ids are skipped without an error; an id given twice counts once.
 */
export function selectPromotable<T extends Pick<VersionedRecord, "id" | "status">>(
  ids: Iterable<number>,
  stagingView: Iterable<T>,
): T[] {
  const wanted = new Set(ids);
  return [...stagingView].filter((record) => record.status === "STAGING" && wanted.has(record.id));
}

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

/** Whether a list of the view shows the record; staging shows deletions that are not promoted, too. */
export function isVisible(
  record: VersionedRecord,
  environment: Environment,
  options: { readonly hideDeleted?: boolean } = {},
): boolean {
  if (!record.isDeleted) return true;
  return environment === "staging" && record.status === "STAGING" && options.hideDeleted !== true;
}

/** Those of the ids that are in the staging view with status STAGING, each once. */
export function selectPromotable<T extends Pick<VersionedRecord, "id" | "status">>(
  ids: Iterable<number>,
  stagingView: Iterable<T>,
): T[] {
  const wanted = new Set(ids);
  return [...stagingView].filter((record) => record.status === "STAGING" && wanted.has(record.id));
}

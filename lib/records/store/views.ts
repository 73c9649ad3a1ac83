import type { Environment, RecordStatus } from "@/lib/vocabulary/terms";

/**
 * The members of every versioned record (`api.md` section 1). Per key, the staging view has the record with the
 * greatest id, the production view the one with the greatest id in status PRODUCTION. Both include deleted records.
 */
export interface VersionedRecord {
  readonly id: number;
  readonly status: RecordStatus;
  readonly isDeleted: boolean;
}

export function isVisible(
  record: VersionedRecord,
  environment: Environment,
  options: { readonly hideDeleted?: boolean } = {},
): boolean {
  if (!record.isDeleted) return true;
  return environment === "staging" && record.status === "STAGING" && options.hideDeleted !== true;
}

/** Selects the ids that are in the staging view with status STAGING, without duplicates. */
export function selectPromotable<T extends Pick<VersionedRecord, "id" | "status">>(
  ids: Iterable<number>,
  stagingView: Iterable<T>,
): T[] {
  const wanted = new Set(ids);
  return [...stagingView].filter((record) => record.status === "STAGING" && wanted.has(record.id));
}

import type { RecordHead } from "@/lib/apps/directory/client/read-record";

/** What is stored about the apps of a batch, as far as it decides whether a record changes anything. */
export interface StoredApps {
  /** The version numbers stored, by uuid. */
  readonly versions: ReadonlyMap<string, ReadonlySet<number | null>>;
  /** Apps whose flags would change if they were deleted. */
  readonly decided: ReadonlySet<string>;
  readonly blacklisted: ReadonlySet<string>;
}

/** What is to be done about a record. `settled`: nothing, the database says so already. */
export type Plan = "delete" | "blacklist" | "store";
export type Settled = "deleted" | "blacklisted" | "known";

/**
 * Rules D1, D2 and D3, in this order.
 *
 * @param isChanging an earlier record of the batch changes the app: what is stored now says nothing about it
 */
export function planRecord(head: RecordHead, stored: StoredApps, isChanging = false): Plan | Settled {
  const { uuid, versionId } = head;
  const versions = stored.versions.get(uuid);
  if (head.isDeleted) {
    return isChanging || versions !== undefined || stored.decided.has(uuid) ? "delete" : "deleted";
  }
  if (head.isBlacklisted) return !isChanging && stored.blacklisted.has(uuid) ? "blacklisted" : "blacklist";
  return !isChanging && versions?.has(versionId) === true ? "known" : "store";
}

/**
 * Splits a batch so that no part names an app twice: a part can be worked off as a whole, and the parts one after the
 * other keep the order of delivery, of which two versions of one app depend.
 */
export function splitByApp<T extends { readonly uuid: string }>(items: readonly T[]): readonly (readonly T[])[] {
  const parts: T[][] = [];
  const partOf = new Map<string, number>();
  for (const item of items) {
    const place = (partOf.get(item.uuid) ?? -1) + 1;
    partOf.set(item.uuid, place);
    (parts[place] ??= []).push(item);
  }
  return parts;
}

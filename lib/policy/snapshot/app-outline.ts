import { deriveShortUuid } from "@/lib/vocabulary/short-uuid";
import type { FlagsDocument, VersionHeader } from "@/lib/policy/documents/documents";
import type { SnapshotApp, SnapshotAppVersion } from "@/lib/policy/table/snapshot";
import type { ApprovalStatus } from "@/lib/vocabulary/terms";

export interface AppOutline {
  readonly uuidKey: string;
  /** Usually one; more if uuids differ only in case. */
  readonly flags: FlagsDocument[];
  /** All stored versions in ascending order of ids. */
  versions: OutlineVersion[];
}
export type OutlineVersion = VersionHeader & { readonly isDamaged: boolean };

const acceptedOnly: readonly ApprovalStatus[] = ["ACCEPTED"];
const acceptedOrStaging: readonly ApprovalStatus[] = ["ACCEPTED", "STAGING"];

/** Ids of the versions that can decide an entry (rule A4), without duplicates. */
export function decidingVersions(outline: AppOutline): number[] {
  const ids = [newestId(outline, acceptedOnly), newestId(outline, acceptedOrStaging)];
  return [...new Set(ids.filter((id) => id !== null))];
}

/** Null if it behaves like an unknown id: no version is stored and it is not blacklisted (rule A3). */
export function buildSnapshotApp(
  outline: AppOutline,
  versions: ReadonlyMap<number, SnapshotAppVersion>,
): SnapshotApp | null {
  const newest = outline.versions.at(-1);
  const isBlacklisted = outline.flags.some((flags) => flags.isBlacklisted);
  const flags = outline.flags.find(({ uuid }) => uuid === newest?.uuid) ?? outline.flags.at(-1);
  const uuid = newest?.uuid ?? flags?.uuid;
  if (uuid === undefined || (newest === undefined && !isBlacklisted)) return null;
  const find = (statuses: readonly ApprovalStatus[]) => versions.get(newestId(outline, statuses) ?? 0) ?? null;
  return {
    uuid,
    isBlacklisted,
    isAdministratorApp: flags?.isAdministratorApp ?? false,
    allowUnknownRpcPassthrough: flags?.allowUnknownRpcPassthrough ?? false,
    hybridAppPreference: flags?.hybridAppPreference ?? null,
    priority: flags?.priority ?? null,
    shortIds: buildShortIds(uuid, outline.versions),
    accepted: find(acceptedOnly),
    staged: find(acceptedOrStaging),
  };
}

function buildShortIds(uuid: string, versions: readonly OutlineVersion[]): SnapshotApp["shortIds"] {
  if (versions.length === 0) return [{ shortId: deriveShortUuid(uuid), newestRecordId: 0 }];
  // In ascending order, the last id with a short id is its newest record.
  const newest = new Map(versions.map((version) => [version.shortUuid, version._id]));
  return [...newest].map(([shortId, newestRecordId]) => ({ shortId, newestRecordId }));
}

function newestId(outline: AppOutline, statuses: readonly ApprovalStatus[]): number | null {
  const found = outline.versions.findLast((version) => !version.isDamaged && statuses.includes(version.approvalStatus));
  return found?._id ?? null;
}

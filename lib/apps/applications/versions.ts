import type { ApprovalStatus } from "@/lib/vocabulary/terms";

export interface VersionOutline {
  readonly id: number;
  /** The app directory's number of the version. */
  readonly versionId: number | null;
  /** The developer's version text. */
  readonly developerVersion: string | null;
  readonly approvalStatus: ApprovalStatus;
}

export const outlineColumns = { versionId: 1, developerVersion: 1, approvalStatus: 1 } as const;

/** The stored members that hold the decisions about a version, and what names it. */
export const decidedColumns = {
  ...{ uuid: 1, name: 1, versionId: 1, approvalStatus: 1 },
  ...{ denialMessage: 1, encryptionRequired: 1, groupGrants: 1, services: 1 },
} as const;

interface StoredOutline {
  readonly _id: number;
  readonly versionId?: number | null;
  readonly developerVersion?: string | null;
  readonly approvalStatus: ApprovalStatus;
}

export function toOutline({ _id, versionId, developerVersion, approvalStatus }: StoredOutline): VersionOutline {
  return { id: _id, versionId: versionId ?? null, developerVersion: developerVersion ?? null, approvalStatus };
}

/** The state of an app in the console: the status of the version, unless the app is blocked. */
export type AppState = ApprovalStatus | "BLOCKED";

/** The versions that vehicles get; null if they get none. */
export interface LiveVersions<Version> {
  readonly production: Version | null;
  readonly staging: Version | null;
}

/**
 * `policy-table.md` rule A4: the newest accepted version in production, the newest accepted or staged one in staging.
 */
export function findLiveVersions<Version extends Pick<VersionOutline, "id" | "approvalStatus">>(
  versions: readonly Version[],
  isBlocked: boolean,
): LiveVersions<Version> {
  const newest = (statuses: readonly ApprovalStatus[]) =>
    versions
      .filter(({ approvalStatus }) => statuses.includes(approvalStatus))
      .reduce<Version | null>((best, one) => (best === null || one.id > best.id ? one : best), null);
  if (isBlocked) return { production: null, staging: null };
  return { production: newest(["ACCEPTED"]), staging: newest(["ACCEPTED", "STAGING"]) };
}

/** The version that production serves, or for that one the previous accepted version. */
export function findBaseline<Version extends Pick<VersionOutline, "id" | "approvalStatus">>(
  versions: readonly Version[],
  id: number,
): Version | null {
  const { production } = findLiveVersions(versions, false);
  if (production !== null && production.id !== id) return production;
  return findLiveVersions(
    versions.filter((version) => version.id < id),
    false,
  ).production;
}

/** The developer's text, else the app directory's number, which is added to texts that several versions share. */
export function labelVersions(versions: readonly Omit<VersionOutline, "approvalStatus">[]): Map<number, string> {
  const plain = new Map(versions.map((version) => [version.id, plainLabel(version)]));
  const uses = new Map<string, number>();
  for (const label of plain.values()) uses.set(label, (uses.get(label) ?? 0) + 1);
  return new Map(
    versions.map(({ id, versionId }) => {
      const label = plain.get(id) ?? "";
      return [
        id,
        (uses.get(label) ?? 0) > 1 ? `${label} (${versionId === null ? `id ${id}` : `#${versionId}`})` : label,
      ];
    }),
  );
}

function plainLabel({ id, versionId, developerVersion }: Omit<VersionOutline, "approvalStatus">): string {
  const text = developerVersion?.trim() ?? "";
  if (text !== "") return /^\d/.test(text) ? `v${text}` : text;
  return versionId === null ? `record ${id}` : `#${versionId}`;
}

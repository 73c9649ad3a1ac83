import type { ApprovalStatus } from "@/lib/labels/vocabulary";

const day = 86_400_000;
export const keptVersions = 10;
/** Milliseconds for which every version stays. */
export const keptVersionMs = 90 * day;
/** The clock of retention goes on by at most this in one run: one that is set years ahead must not delete years. */
export const longestStepMs = 2 * day;

export interface VersionHeader {
  readonly id: number;
  readonly shortKey: string;
  readonly approvalStatus: ApprovalStatus;
  readonly storedAt: Date;
}

/**
 * The versions of one app that nothing needs: older than 90 days and none of the last ten, the two newest accepted
 * ones, the two newest that staging may serve (one may be taken back), or the newest under its short id.
 */
export function findSuperseded(versions: readonly VersionHeader[], now: Date): readonly number[] {
  const newestFirst = versions.toSorted((one, other) => other.id - one.id);
  const accepted = newestFirst.filter(({ approvalStatus }) => approvalStatus === "ACCEPTED");
  const staged = newestFirst.filter(
    ({ approvalStatus }) => approvalStatus === "ACCEPTED" || approvalStatus === "STAGING",
  );
  const kept = new Set([...newestFirst.slice(0, keptVersions), ...accepted.slice(0, 2), ...staged.slice(0, 2)]);
  const shortKeys = new Set<string>();
  for (const version of newestFirst) {
    if (!shortKeys.has(version.shortKey)) kept.add(version);
    shortKeys.add(version.shortKey);
  }
  const before = now.getTime() - keptVersionMs;
  return newestFirst.filter((one) => !kept.has(one) && one.storedAt.getTime() < before).map(({ id }) => id);
}

/** What retention takes for now: a clock set ahead since the `last` run takes effect slowly, one set back at once. */
export function retentionTime(last: Date | null, now: Date): Date {
  return last === null ? now : new Date(Math.min(now.getTime(), last.getTime() + longestStepMs));
}

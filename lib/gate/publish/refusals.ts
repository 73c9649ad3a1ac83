import { AppError } from "@/lib/platform/errors";
import type { ReleaseCheckJson } from "@/lib/content/releases/answer-schema";

/** How somebody insists on publishing what head units object to (rule L6). */
export interface Insistence {
  readonly force: boolean;
  /** Why; kept in the release. */
  readonly reason: string | null;
}

/** What a finding is told by from one time to the next. */
export function findingText({ rule, family, key, message }: ReleaseCheckJson): string {
  return JSON.stringify([rule, family, key, message]);
}

/**
 * Refuses what nobody has seen who agreed to it: findings that were not there then.
 *
 * @param known the texts of those that were
 * @throws AppError 409; the transaction must be left by it
 */
export function requireNoNewFindings(checks: readonly ReleaseCheckJson[], known: readonly string[]): void {
  const [first] = checks.filter((check) => check.level === "finding" && !known.includes(findingText(check)));
  if (first !== undefined) throw new AppError("conflict", `There is a new finding: ${first.message}`);
}

/**
 * Refuses what must not be published (rule L6).
 *
 * @returns the findings that are published all the same, to be kept in the release
 * @throws AppError 409 with `data.checks`; the transaction must be left by it
 */
export function requirePublishable(
  checks: readonly ReleaseCheckJson[],
  { force, reason }: Insistence,
): readonly ReleaseCheckJson[] {
  const [blocked] = checks.filter(({ level }) => level === "block");
  if (blocked !== undefined) throw new AppError("conflict", blocked.message, { data: { checks } });
  const findings = checks.filter(({ level }) => level === "finding");
  if (findings.length === 0 || (force && reason !== null)) return findings;
  const sentence = force
    ? "Head units would report problems with this policy table. To publish it anyway, reason must say why"
    : "Head units would report problems with this policy table. To publish it anyway, send force: true and a reason";
  throw new AppError("conflict", sentence, { data: { checks } });
}

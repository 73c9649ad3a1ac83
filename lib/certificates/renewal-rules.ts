const dayMs = 86_400_000;

/** Clocks differ by less than this, in milliseconds. */
const clockDifferenceMs = 60_000;

/**
 * In milliseconds: a third of the lifetime, at least a day and at most a week. Seven days leave two nights to retry and
 * to alert somebody. The alert `CertificateEnds` uses the same rule.
 */
export function renewalMs(expiresAt: Date, validFrom: Date | null): number {
  const lifetime = validFrom === null ? 0 : expiresAt.getTime() - validFrom.getTime();
  return Math.min(Math.max(lifetime / 3, dayMs), 7 * dayMs);
}

/**
 * Rule X1 (`directory.md` 9.3): it ends soon, or it is not valid yet because the clock was ahead when it was created.
 * `expiresAt` is null without a certificate; `validFrom` may be when it was created, null if unknown.
 */
export function isRenewalDue(expiresAt: Date | null, now: Date, validFrom: Date | null = null): boolean {
  if (expiresAt === null || expiresAt.getTime() - now.getTime() < renewalMs(expiresAt, validFrom)) return true;
  return validFrom !== null && validFrom.getTime() - now.getTime() > clockDifferenceMs;
}

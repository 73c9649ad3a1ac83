const dayMs = 86_400_000;

/** Clocks differ by less than this, in milliseconds. */
const clockDifferenceMs = 60_000;

/**
 * Remaining time at which a certificate is renewed, in milliseconds: a third of its lifetime, at least a day and at most
 * a week. With a lifetime of seven days this leaves two nights to retry a failed renewal and to alert somebody. The alert
 * `CertificateEnds` uses the same rule.
 */
export function renewalMs(expiresAt: Date, validFrom: Date | null): number {
  const lifetime = validFrom === null ? 0 : expiresAt.getTime() - validFrom.getTime();
  return Math.min(Math.max(lifetime / 3, dayMs), 7 * dayMs);
}

/**
 * Whether a certificate is due for renewal (rule X1, `directory.md` 9.3): it ends soon, or it is not valid yet because
 * the clock was ahead when it was created.
 *
 * @param expiresAt end of its validity; null if there is no certificate
 * @param validFrom start of its validity, or when it was created; null if unknown
 */
export function isRenewalDue(expiresAt: Date | null, now: Date, validFrom: Date | null = null): boolean {
  if (expiresAt === null || expiresAt.getTime() - now.getTime() < renewalMs(expiresAt, validFrom)) return true;
  return validFrom !== null && validFrom.getTime() - now.getTime() > clockDifferenceMs;
}

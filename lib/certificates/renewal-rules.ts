const dayMs = 86_400_000;

/** Clocks differ by less than this, in milliseconds. */
const clockDifferenceMs = 60_000;

/**
 * A certificate is renewed when less than this is left of it, in milliseconds: a third of its lifetime, at least a day and
 * at most a week. With one of seven days two nights are left to repeat a renewal that fails, and to tell somebody:
 * the alert `CertificateEnds` knows the same rule.
 */
function renewalMs(expiresAt: Date, validFrom: Date | null): number {
  const lifetime = validFrom === null ? 0 : expiresAt.getTime() - validFrom.getTime();
  return Math.min(Math.max(lifetime / 3, dayMs), 7 * dayMs);
}

/**
 * Whether a certificate is to be renewed (rule X1, `directory.md` 9.3): one that ends soon, and one that was made while
 * the clock ran ahead and is not valid yet.
 *
 * @param expiresAt end of its validity; null: there is none
 * @param validFrom begin of its validity, or when it was made; null: not known
 */
export function isRenewalDue(expiresAt: Date | null, now: Date, validFrom: Date | null = null): boolean {
  if (expiresAt === null || expiresAt.getTime() - now.getTime() < renewalMs(expiresAt, validFrom)) return true;
  return validFrom !== null && validFrom.getTime() - now.getTime() > clockDifferenceMs;
}

/** Certificates are renewed when less than this is left of them, in milliseconds. */
const renewalMs = 86_400_000;

/** Clocks differ by less than this, in milliseconds. */
const clockDifferenceMs = 60_000;

/**
 * Whether a certificate is to be renewed (rule X1, `directory.md` 9.3): one that ends soon, and one that was made while
 * the clock ran ahead and is not valid yet.
 *
 * @param expiresAt end of its validity; null: there is none
 * @param validFrom begin of its validity, or when it was made; null: not known
 */
export function isRenewalDue(expiresAt: Date | null, now: Date, validFrom: Date | null = null): boolean {
  if (expiresAt === null || expiresAt.getTime() - now.getTime() < renewalMs) return true;
  return validFrom !== null && validFrom.getTime() - now.getTime() > clockDifferenceMs;
}

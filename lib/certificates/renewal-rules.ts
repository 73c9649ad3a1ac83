/** Certificates are renewed when less than this is left of them, in milliseconds. */
const renewalMs = 86_400_000;

/**
 * Whether a certificate is to be renewed (rule X1, `directory.md` 9.3).
 *
 * @param expiresAt end of its validity; null: there is none
 */
export function isRenewalDue(expiresAt: Date | null, now: Date): boolean {
  return expiresAt === null || expiresAt.getTime() - now.getTime() < renewalMs;
}

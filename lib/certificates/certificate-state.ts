import "server-only";
import { isAuthorityValid } from "@/lib/certificates/generation";
import { type CertificateDescription, describeCertificate } from "@/lib/certificates/describe";
import { loadSettings } from "@/lib/platform/settings";

/** Whether certificates can be made, and which one is stored. */
export type CertificateState =
  /** Generation is off; these settings are missing or their files cannot be read. */
  | { readonly kind: "off"; readonly missing: readonly string[] }
  /** The authority does not open with the passphrase, or its key and certificate do not belong together. */
  | { readonly kind: "unusable" }
  | { readonly kind: "ready"; readonly stored: CertificateDescription | null };

/**
 * Loads what may be shown of a certificate. The private key stays here, and so does whatever a setting holds: only the
 * names of missing settings are told.
 *
 * @param findCertificate gives the stored certificate, PEM; null or empty without one. Not asked where none can be made
 * @throws whatever `findCertificate` throws
 */
export async function loadCertificateState(findCertificate: () => Promise<string | null>): Promise<CertificateState> {
  const { certificateGeneration } = loadSettings();
  if (!certificateGeneration.enabled) return { kind: "off", missing: certificateGeneration.missing };
  if (!(await isAuthorityValid(certificateGeneration))) return { kind: "unusable" };
  const certificate = await findCertificate();
  return { kind: "ready", stored: certificate === null ? null : describeCertificate(certificate) };
}

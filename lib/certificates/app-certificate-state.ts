import "server-only";
import { isAuthorityValid } from "@/lib/certificates/authority";
import { findAppBundle } from "@/lib/certificates/bundle";
import { type CertificateDescription, describeCertificate } from "@/lib/certificates/describe";
import { loadSettings } from "@/lib/settings";

/** Whether certificates can be made for an app, and which one it has. */
export type AppCertificateState =
  | { readonly kind: "off"; readonly missing: readonly string[] }
  | { readonly kind: "unusable" }
  | { readonly kind: "ready"; readonly stored: CertificateDescription | null };

/**
 * Loads the state of an app's certificate. The private key stays here, and so does whatever a setting holds: only the
 * names of missing settings are told.
 *
 * @throws DatabaseUnavailable
 */
export async function loadAppCertificateState(uuid: string): Promise<AppCertificateState> {
  const { certificateGeneration } = loadSettings();
  if (!certificateGeneration.enabled) return { kind: "off", missing: certificateGeneration.missing };
  if (!(await isAuthorityValid(certificateGeneration))) return { kind: "unusable" };
  const bundle = await findAppBundle(uuid);
  return { kind: "ready", stored: bundle && describeCertificate(bundle.certificate) };
}

import "server-only";
import { findAppBundle } from "@/lib/certificates/bundle";
import { type CertificateState, loadCertificateState } from "@/lib/certificates/certificate-state";

/** Loads the state of an app's certificate. Throws DatabaseUnavailable. */
export function loadAppCertificateState(uuid: string): Promise<CertificateState> {
  return loadCertificateState(async () => (await findAppBundle(uuid))?.certificate ?? null);
}

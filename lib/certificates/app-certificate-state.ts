import "server-only";
import { X509Certificate } from "node:crypto";
import { isAuthorityValid } from "@/lib/certificates/authority";
import { findAppBundle } from "@/lib/certificates/bundle";
import { loadSettings } from "@/lib/settings";

/** What an administrator may know of an app's certificate without asking for the key. */
export interface StoredCertificate {
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** ISO 8601 */
  readonly validFrom: string;
  readonly validTo: string;
}

/** Whether certificates can be made for an app, and which one it has. */
export type AppCertificateState =
  | { readonly kind: "off"; readonly missing: readonly string[] }
  | { readonly kind: "unusable" }
  | { readonly kind: "ready"; readonly stored: StoredCertificate | null };

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
  return { kind: "ready", stored: bundle && readCertificate(bundle.certificate) };
}

/** Null for one that cannot be read: it shows as none, which is what it is good for. */
function readCertificate(pem: string): StoredCertificate | null {
  const parsed = parseCertificate(pem);
  if (parsed === null) return null;
  const { subject, issuer, serialNumber, validFrom, validTo } = parsed;
  const oneLine = (name: string) => name.split("\n").join(", ");
  return {
    subject: oneLine(subject),
    issuer: oneLine(issuer),
    serialNumber,
    validFrom: new Date(validFrom).toISOString(),
    validTo: new Date(validTo).toISOString(),
  };
}

function parseCertificate(pem: string): X509Certificate | null {
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

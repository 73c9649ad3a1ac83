import "server-only";
import { AppError } from "@/lib/platform/errors";
import { loadSettings, type CertificateGeneration, type Settings } from "@/lib/platform/settings";
import { type CertificateDescription, describeCertificate } from "@/lib/certificates/describe";
import type { AuthoritySource } from "@/lib/certificates/worker/authority-files";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";

/** Settings with certificate generation enabled. */
export interface GenerationSettings extends Settings {
  readonly certificateGeneration: Extract<CertificateGeneration, { readonly enabled: true }>;
}

/** The settings while certificate generation is enabled, else null. */
export function findGeneration(): GenerationSettings | null {
  const settings = loadSettings();
  const { certificateGeneration } = settings;
  return certificateGeneration.enabled ? { ...settings, certificateGeneration } : null;
}

/** @throws AppError 400 while certificate generation is not enabled (`api.md` section 6) */
export function requireGeneration(): GenerationSettings {
  const settings = findGeneration();
  if (settings === null) throw new AppError("invalid", "Certificate generation is not configured");
  return settings;
}

/** Where the authority lies under the settings, and what opens its key. */
export function authoritySource({
  caPrivateKeyPath,
  caCertificatePath,
  caPassphrase,
}: Extract<CertificateGeneration, { readonly enabled: true }>): AuthoritySource {
  return { caPrivateKeyPath, caCertificatePath, passphrase: caPassphrase };
}

/**
 * Whether key and certificate of the authority open with the passphrase, belong together, have not expired, and a
 * container can be made of them (`directory.md` 9.4). Never throws: whatever the reason, such an authority cannot be used.
 */
export async function isAuthorityValid(generation: CertificateGeneration): Promise<boolean> {
  if (!generation.enabled) return false;
  try {
    return await certificateWorker().run("authority", authoritySource(generation));
  } catch {
    return false;
  }
}

/** The members of `GET /about` about the authority (`api.md` 2.4). */
export async function authorityState(): Promise<{
  readonly certificate_authority: boolean;
  /** Only while certificate generation is enabled. */
  readonly is_authority_valid?: boolean;
}> {
  const { certificateGeneration } = loadSettings();
  if (!certificateGeneration.enabled) return { certificate_authority: false };
  return { certificate_authority: true, is_authority_valid: await isAuthorityValid(certificateGeneration) };
}

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

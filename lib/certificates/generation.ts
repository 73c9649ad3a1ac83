import "server-only";
import { AppError } from "@/lib/platform/errors";
import { loadSettings, type CertificateGeneration, type Settings } from "@/lib/platform/settings";
import { type CertificateDescription, describeCertificate } from "@/lib/certificates/describe";
import type { AuthoritySource } from "@/lib/certificates/worker/authority-files";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";

export interface GenerationSettings extends Settings {
  readonly certificateGeneration: Extract<CertificateGeneration, { readonly enabled: true }>;
}

export function findGeneration(): GenerationSettings | null {
  const settings = loadSettings();
  const { certificateGeneration } = settings;
  return certificateGeneration.enabled ? { ...settings, certificateGeneration } : null;
}

/** Throws AppError 400 if certificate generation is off (`api.md` section 6). */
export function requireGeneration(): GenerationSettings {
  const settings = findGeneration();
  if (settings === null) throw new AppError("invalid", "Certificate generation is not configured");
  return settings;
}

export function authoritySource({
  caPrivateKeyPath,
  caCertificatePath,
  caPassphrase,
}: Extract<CertificateGeneration, { readonly enabled: true }>): AuthoritySource {
  return { caPrivateKeyPath, caCertificatePath, passphrase: caPassphrase };
}

/** `directory.md` 9.4. Never throws: whatever the reason, such an authority is unusable. */
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
  /** Only if certificate generation is enabled. */
  readonly is_authority_valid?: boolean;
}> {
  const { certificateGeneration } = loadSettings();
  if (!certificateGeneration.enabled) return { certificate_authority: false };
  return { certificate_authority: true, is_authority_valid: await isAuthorityValid(certificateGeneration) };
}

/** The stored certificate, or why none can be created. */
export type CertificateState =
  /** Generation is off: these settings are missing, or their files are unreadable. */
  | { readonly kind: "off"; readonly missing: readonly string[] }
  /** The authority does not open with the passphrase, or its key and certificate do not match. */
  | { readonly kind: "unusable" }
  | { readonly kind: "ready"; readonly stored: CertificateDescription | null };

/**
 * Returns no private key and no values of settings. `findCertificate` returns PEM, null or empty for none; it is not
 * called while generation is off.
 */
export async function loadCertificateState(findCertificate: () => Promise<string | null>): Promise<CertificateState> {
  const { certificateGeneration } = loadSettings();
  if (!certificateGeneration.enabled) return { kind: "off", missing: certificateGeneration.missing };
  if (!(await isAuthorityValid(certificateGeneration))) return { kind: "unusable" };
  const certificate = await findCertificate();
  return { kind: "ready", stored: certificate === null ? null : describeCertificate(certificate) };
}

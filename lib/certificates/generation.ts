import "server-only";
import { AppError } from "@/lib/platform/errors";
import { loadSettings, type CertificateGeneration, type Settings } from "@/lib/platform/settings";
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

import "server-only";
import { AppError } from "@/lib/platform/errors";
import { loadSettings, type CertificateGeneration, type Settings } from "@/lib/platform/settings";
import type { AuthoritySource } from "@/lib/certificates/worker/authority-files";

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

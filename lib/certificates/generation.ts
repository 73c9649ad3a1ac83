import "server-only";
import { AppError } from "@/lib/errors";
import { loadSettings, type CertificateGeneration, type Settings } from "@/lib/settings";

/** Settings with certificate generation enabled. */
export interface GenerationSettings extends Settings {
  readonly certificateGeneration: Extract<CertificateGeneration, { readonly enabled: true }>;
}

/** @throws AppError 400 while certificate generation is not enabled (`api.md` section 6) */
export function requireGeneration(): GenerationSettings {
  const settings = loadSettings();
  const { certificateGeneration } = settings;
  if (!certificateGeneration.enabled) throw new AppError("invalid", "Certificate generation is not configured");
  return { ...settings, certificateGeneration };
}

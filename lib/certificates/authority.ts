import "server-only";
import { authoritySource } from "@/lib/certificates/generation";
import { certificateWorker } from "@/lib/certificates/worker/worker-client";
import { loadSettings, type CertificateGeneration } from "@/lib/platform/settings";

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

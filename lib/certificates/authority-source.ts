import { type AuthoritySource } from "@/lib/certificates/worker/authority-files";
import { type CertificateGeneration } from "@/lib/settings/parse";

/** Where the authority lies under the settings, and what opens its key. */
export function authoritySource({
  caPrivateKeyPath,
  caCertificatePath,
  caPassphrase,
}: Extract<CertificateGeneration, { readonly enabled: true }>): AuthoritySource {
  return { caPrivateKeyPath, caCertificatePath, passphrase: caPassphrase };
}

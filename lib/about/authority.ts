import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFile } from "node:fs/promises";
import type { CertificateGeneration } from "@/lib/settings";

/** Whether the key and the certificate of the authority open with the passphrase and belong together. */
export async function isAuthorityValid(generation: CertificateGeneration): Promise<boolean> {
  if (!generation.enabled) return false;
  try {
    const [key, certificate] = await Promise.all([
      readFile(generation.caPrivateKeyPath),
      readFile(generation.caCertificatePath),
    ]);
    const privateKey = createPrivateKey({ key, passphrase: generation.passphrase });
    return new X509Certificate(certificate).checkPrivateKey(privateKey);
  } catch {
    return false;
  }
}

import { buildPkcs12 } from "@/lib/certificates/pkcs12";

/** What decides the `certificate` member of a policy table. */
export interface ModuleCertificateSettings {
  /** Passphrase of the containers, or null while certificate generation is off. */
  readonly passphrase: string | null;
  /** `MODULE_CONFIG_ENCRYPT_CERT_BUNDLE` */
  readonly asContainer: boolean;
}

/**
 * The `certificate` member of `module_config` (rule M10), or null when it is to be left out.
 *
 * @param stored certificate and private key of the module config, PEM
 * @param onFailure told when the two cannot be bundled; they are never sent in plain text instead
 */
export function buildModuleCertificate(
  stored: { readonly certificate: string | null; readonly privateKey: string | null },
  settings: ModuleCertificateSettings,
  onFailure: (cause: unknown) => void,
): string | null {
  const { certificate, privateKey } = stored;
  if (settings.passphrase === null || !certificate || !privateKey) return null;
  if (!settings.asContainer) return `${certificate}\n${privateKey}`;
  try {
    return buildPkcs12(certificate, privateKey, settings.passphrase);
  } catch (cause) {
    onFailure(cause);
    return null;
  }
}

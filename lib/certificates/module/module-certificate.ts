/** What decides the `certificate` member of a policy table. */
export interface ModuleCertificateSettings {
  /** Passphrase of the containers, or null while certificate generation is off. */
  readonly passphrase: string | null;
  /** `MODULE_CONFIG_ENCRYPT_CERT_BUNDLE` */
  readonly asContainer: boolean;
}

/** What a container is packed from: certificate and key (PEM). */
export interface CertificatePair {
  readonly certificate: string;
  readonly privateKey: string;
  readonly passphrase: string;
}

/** Gives the container of a pair, Base64; null when it cannot be packed. */
export type PackCertificate = (pair: CertificatePair) => Promise<string | null>;

/**
 * The `certificate` member of `module_config` (rule M10), or null when it is to be left out.
 *
 * @param stored certificate and private key of the module config, PEM
 * @throws whatever `pack` throws; they are never sent in plain text instead
 */
export async function buildModuleCertificate(
  stored: { readonly certificate: string | null; readonly privateKey: string | null },
  settings: ModuleCertificateSettings,
  pack: PackCertificate,
): Promise<string | null> {
  const { certificate, privateKey } = stored;
  const { passphrase, asContainer } = settings;
  if (passphrase === null || !certificate || !privateKey) return null;
  return asContainer ? pack({ certificate, privateKey, passphrase }) : `${certificate}\n${privateKey}`;
}

import forge from "node-forge";

/**
 * Packs a certificate and its private key into a pkcs12 container.
 *
 * @param certificate PEM
 * @param privateKey PEM, unencrypted
 * @param passphrase protects the container
 * @returns Base64 without line breaks
 * @throws Error when either PEM text cannot be read
 */
export function buildPkcs12(certificate: string, privateKey: string, passphrase: string): string {
  const container = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(privateKey),
    [forge.pki.certificateFromPem(certificate)],
    passphrase,
    // Head units and phones open containers with OpenSSL versions that know nothing newer.
    { algorithm: "3des" },
  );
  return forge.util.encode64(forge.asn1.toDer(container).getBytes());
}

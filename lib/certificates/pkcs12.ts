import forge from "node-forge";

/** More than forge's 2048: everybody may fetch an app's container, so a guess at the passphrase should cost something. */
const iterations = 10_000;

/**
 * Packs a certificate and its private key into a pkcs12 container. Takes about 50 ms, so servers do it in the
 * certificate worker (`worker-client.ts`).
 *
 * @param certificate PEM
 * @param privateKey PEM, unencrypted, RSA
 * @param passphrase protects the container
 * @returns Base64 without line breaks
 * @throws Error when either PEM text cannot be read
 */
export function buildPkcs12(certificate: string, privateKey: string, passphrase: string): string {
  const container = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(privateKey),
    [forge.pki.certificateFromPem(certificate)],
    passphrase,
    // See docs/adr/0012-pkcs12-algorithm.md: opens everywhere, also with OpenSSL 3 without its legacy algorithms.
    { algorithm: "3des", count: iterations },
  );
  return forge.util.encode64(forge.asn1.toDer(container).getBytes());
}

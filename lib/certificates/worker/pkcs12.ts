import forge from "node-forge";

/** More than forge's 2048: everybody may fetch an app's container, so guessing the passphrase should be expensive. */
const iterations = 10_000;

/**
 * Returns Base64 without line breaks. Takes about 50 ms, so servers use the certificate worker (`worker-client.ts`).
 * `certificate` is PEM, with those of its authorities if any; `privateKey` unencrypted RSA PEM. Throws Error if one is
 * unreadable.
 */
export function buildPkcs12(certificate: string, privateKey: string, passphrase: string): string {
  const container = forge.pkcs12.toPkcs12Asn1(
    forge.pki.privateKeyFromPem(privateKey),
    (certificate.match(oneCertificate) ?? [certificate]).map((pem) => forge.pki.certificateFromPem(pem)),
    passphrase,
    // See docs/adr/0012-encrypt-containers-with-3des.md: opens everywhere, even in OpenSSL 3 without legacy algorithms.
    { algorithm: "3des", count: iterations },
  );
  return forge.util.encode64(forge.asn1.toDer(container).getBytes());
}

const oneCertificate = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

export interface OpenedContainer {
  readonly certificate: string;
  readonly privateKey: string;
}

/**
 * The first certificate belongs to the key; the others are its authorities. Takes about 50 ms. `container` is Base64.
 * Throws Error if it is damaged, has another passphrase, or lacks a certificate or an RSA key.
 */
export function openPkcs12(container: string, passphrase: string): OpenedContainer {
  const content = forge.pkcs12.pkcs12FromAsn1(forge.asn1.fromDer(forge.util.decode64(container)), passphrase);
  const bagsOf = (bagType: string) => content.getBags({ bagType })[bagType] ?? [];
  const { certBag = "", pkcs8ShroudedKeyBag = "", keyBag = "" } = forge.pki.oids;
  const certificates = bagsOf(certBag).flatMap(({ cert }) => cert ?? []);
  const key = [...bagsOf(pkcs8ShroudedKeyBag), ...bagsOf(keyBag)].find((bag) => bag.key !== undefined)?.key;
  if (certificates.length === 0 || !key) throw new Error("the container lacks a certificate or a key");
  return {
    certificate: certificates.map((one) => withPlainEnds(forge.pki.certificateToPem(one))).join(""),
    privateKey: withPlainEnds(forge.pki.privateKeyToPem(key)),
  };
}

function withPlainEnds(pem: string): string {
  return pem.replaceAll("\r\n", "\n");
}

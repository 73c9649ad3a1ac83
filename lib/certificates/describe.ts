import { createHash, X509Certificate } from "node:crypto";

export interface CertificateDescription {
  /** All attributes in one line. */
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validTo: string;
}

/** PEM; null if it is unreadable, which makes it as useless as none. */
export function describeCertificate(pem: string): CertificateDescription | null {
  try {
    const { subject, issuer, serialNumber, validFrom, validTo } = new X509Certificate(pem);
    const oneLine = (name: string) => name.replaceAll("\n", ", ");
    return {
      subject: oneLine(subject),
      issuer: oneLine(issuer),
      serialNumber,
      validFrom: new Date(validFrom).toISOString(),
      validTo: new Date(validTo).toISOString(),
    };
  } catch {
    return null;
  }
}

export interface CertificateSigns {
  readonly certificate: string;
  /** Hash of the public key, which identifies the private key. */
  readonly key: string;
}

/** PEM; null if it is unreadable. */
export function signCertificate(pem: string): CertificateSigns | null {
  try {
    const { raw, publicKey } = new X509Certificate(pem);
    return { certificate: signOf(raw), key: signOf(publicKey.export({ type: "spki", format: "der" })) };
  } catch {
    return null;
  }
}

function signOf(bytes: Buffer): string {
  return `SHA-256 ${createHash("sha256").update(bytes).digest("hex").slice(0, 16)}`;
}

import { createHash, X509Certificate } from "node:crypto";

/** What may be shown of a certificate. */
export interface CertificateDescription {
  /** Attributes in one line. */
  readonly subject: string;
  readonly issuer: string;
  readonly serialNumber: string;
  /** ISO 8601. */
  readonly validFrom: string;
  readonly validTo: string;
}

/** Describes a certificate (PEM); null for one that cannot be read: it shows as none, which is what it is good for. */
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

/** Signs by which two certificates, and two keys, are told apart without showing either. */
export interface CertificateSigns {
  readonly certificate: string;
  /** Made of the public key: it belongs to one private key only. */
  readonly key: string;
}

/** The signs of a certificate (PEM) and of the key that belongs to it; null for one that cannot be read. */
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

import { X509Certificate } from "node:crypto";

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

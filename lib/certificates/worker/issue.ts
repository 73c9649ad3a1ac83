import { createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import forge from "node-forge";
import { type Authority, TaskRefusal } from "@/lib/certificates/worker/authority-files";
import { type CertificateFacts, fingerprintOf, type KeyFacts } from "@/lib/certificates/worker/key-pair";
import type { SubjectAttribute } from "@/lib/certificates/worker/subject";

export const certificateHashes = ["sha256", "sha384", "sha512"] as const;
export type CertificateHash = (typeof certificateHashes)[number];

/** What a certificate is to say. */
export interface CertificateRequest {
  /** In the order in which they are to stand in the certificate. */
  readonly subject: readonly SubjectAttribute[];
  /** Validity from now. */
  readonly days: number;
  readonly hash: CertificateHash;
}

export interface IssuedCertificate extends CertificateFacts, KeyFacts {
  /** PEM */
  readonly certificate: string;
  /** PEM of the certificate request it was made from. */
  readonly csr: string;
  /** End of its validity, ISO 8601. */
  readonly expiresAt: string;
  /** Whether it ends earlier than asked for, together with the authority's own certificate. */
  readonly endsWithAuthority: boolean;
}

const dayMs = 86_400_000;

/**
 * Issues a certificate for a private key (`directory.md` 9.1).
 *
 * The structures are node-forge's, the signatures OpenSSL's: in JavaScript they take tens of milliseconds each.
 *
 * It never outlives the authority: nobody could verify it any more.
 *
 * @param clientKey RSA
 * @throws TaskRefusal when the authority's own certificate has expired or is not valid yet
 */
export function issueCertificate(
  authority: Authority,
  clientKey: KeyObject,
  request: CertificateRequest,
  now: Date,
): IssuedCertificate {
  const subject = request.subject.map(toForgeAttribute);
  const publicKey = forge.pki.publicKeyFromPem(
    createPublicKey(clientKey).export({ type: "spki", format: "pem" }).toString(),
  );
  // X.509 knows whole seconds only.
  const start = new Date(Math.floor(now.getTime() / 1000) * 1000);
  if (now >= authority.validTo) throw new TaskRefusal("period", "has expired");
  if (start < authority.validFrom) throw new TaskRefusal("period", "is not valid yet");
  const wanted = start.getTime() + request.days * dayMs;
  const endsWithAuthority = wanted > authority.validTo.getTime();
  const end = endsWithAuthority ? authority.validTo : new Date(wanted);

  const csr = forge.pki.createCertificationRequest();
  csr.publicKey = publicKey;
  csr.setSubject(subject);
  csr.sign(noKey, digestOf(request.hash));
  csr.signature = signatureOf(csr.certificationRequestInfo, clientKey, request.hash);

  const certificate = forge.pki.createCertificate();
  certificate.publicKey = publicKey;
  certificate.serialNumber = buildSerialNumber();
  certificate.validity.notBefore = start;
  certificate.validity.notAfter = end;
  certificate.setSubject(subject);
  certificate.setExtensions(buildExtensions(authority));
  certificate.sign(noKey, digestOf(request.hash));
  // forge would write the issuer's name anew, in other bytes than the authority's certificate has for some alphabets.
  replaceIssuer(certificate.tbsCertificate, authority.subject);
  certificate.signature = signatureOf(certificate.tbsCertificate, authority.privateKey, request.hash);

  return {
    certificate: unixLines(forge.pki.certificateToPem(certificate)),
    csr: unixLines(forge.pki.certificationRequestToPem(csr)),
    expiresAt: end.toISOString(),
    endsWithAuthority,
    subject: request.subject.map(({ name, value }) => `${name}=${value}`).join(", "),
    serialNumber: certificate.serialNumber,
    days: Math.round((end.getTime() - start.getTime()) / dayMs),
    keyFingerprint: fingerprintOf(clientKey),
  };
}

/** forge builds the content to be signed only while signing; the signature itself is put in place afterwards. */
const noKey = { sign: () => "" } as unknown as forge.pki.rsa.PrivateKey;

function digestOf(hash: CertificateHash): forge.md.MessageDigest {
  return forge.md[hash].create();
}

function signatureOf(content: forge.asn1.Asn1 | null, key: KeyObject, hash: CertificateHash): string {
  if (content === null) throw new TypeError("there is nothing to sign");
  const der = Buffer.from(forge.asn1.toDer(content).getBytes(), "binary");
  return sign(hash, der, key).toString("binary");
}

/** 126 random bits; positive, because the first bit is not set, and always of the same length (RFC 5280: at most 20 bytes). */
function buildSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex");
}

function buildExtensions({ keyId }: Authority): object[] {
  return [
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    // An app is the client or the server of the connection to a head unit, depending on the transport.
    { name: "extKeyUsage", clientAuth: true, serverAuth: true },
    { name: "subjectKeyIdentifier" },
    ...(keyId === null ? [] : [{ name: "authorityKeyIdentifier", keyIdentifier: forge.util.hexToBytes(keyId) }]),
  ];
}

/** In the content of a certificate of version 3 the issuer is the fourth element. */
function replaceIssuer(content: forge.asn1.Asn1, issuer: forge.asn1.Asn1): void {
  if (!Array.isArray(content.value)) throw new TypeError("the content of a certificate is a sequence");
  content.value[3] = issuer;
}

const ascii = /^[ -~]*$/;
const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** The string types that RFC 5280 wants: country and serial number printable, the address IA5, all else UTF-8. */
function toForgeAttribute({ name, value }: SubjectAttribute): forge.pki.CertificateField {
  const field = { name, value, valueTagClass: stringTypeOf(name, value) };
  // The declarations of forge take the number of a string type for that of a class.
  return field as unknown as forge.pki.CertificateField;
}

function stringTypeOf(name: SubjectAttribute["name"], value: string): forge.asn1.Type {
  const { Type } = forge.asn1;
  if ((name === "countryName" || name === "serialNumber") && printable.test(value)) return Type.PRINTABLESTRING;
  return name === "emailAddress" && ascii.test(value) ? Type.IA5STRING : Type.UTF8;
}

function unixLines(pem: string): string {
  return pem.replaceAll("\r\n", "\n");
}

import { createPublicKey, type KeyObject, randomBytes, sign } from "node:crypto";
import forge from "node-forge";
import { type Authority, TaskRefusal } from "@/lib/certificates/worker/authority-files";
import { type CertificateFacts, fingerprintOf, type KeyFacts } from "@/lib/certificates/worker/key-pair";
import type { SubjectAttribute } from "@/lib/certificates/worker/subject";

export const certificateHashes = ["sha256", "sha384", "sha512"] as const;
export type CertificateHash = (typeof certificateHashes)[number];

export interface CertificateRequest {
  /** In the order of the certificate. */
  readonly subject: readonly SubjectAttribute[];
  readonly days: number;
  readonly hash: CertificateHash;
}

export interface IssuedCertificate extends CertificateFacts, KeyFacts {
  /** PEM */
  readonly certificate: string;
  /** PEM of the certificate request. */
  readonly csr: string;
  /** ISO 8601. */
  readonly expiresAt: string;
  /** Whether it ends earlier than requested, together with the authority's certificate. */
  readonly endsWithAuthority: boolean;
}

const dayMs = 86_400_000;

/**
 * `directory.md` 9.1. Uses OpenSSL for signatures, which take tens of milliseconds in JavaScript. The certificate never
 * outlives the authority's, because nobody could verify it after that. Throws TaskRefusal if the authority is not valid
 * now.
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
  // X.509 times have whole seconds.
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
  // forge would re-encode the issuer's name, with bytes that differ from the authority's certificate for some alphabets.
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

/** forge builds the content only while signing; the real signature replaces this one. */
const noKey = { sign: () => "" } as unknown as forge.pki.rsa.PrivateKey;

function digestOf(hash: CertificateHash): forge.md.MessageDigest {
  return forge.md[hash].create();
}

function signatureOf(content: forge.asn1.Asn1 | null, key: KeyObject, hash: CertificateHash): string {
  if (content === null) throw new TypeError("there is nothing to sign");
  const der = Buffer.from(forge.asn1.toDer(content).getBytes(), "binary");
  return sign(hash, der, key).toString("binary");
}

/** 126 random bits: positive because the first bit is 0, and of constant length (RFC 5280: at most 20 bytes). */
function buildSerialNumber(): string {
  const bytes = randomBytes(16);
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return bytes.toString("hex");
}

function buildExtensions({ keyId }: Authority): object[] {
  return [
    { name: "basicConstraints", cA: false, critical: true },
    { name: "keyUsage", digitalSignature: true, keyEncipherment: true, critical: true },
    // Depending on the transport, an app is client or server of the connection to a head unit.
    { name: "extKeyUsage", clientAuth: true, serverAuth: true },
    { name: "subjectKeyIdentifier" },
    ...(keyId === null ? [] : [{ name: "authorityKeyIdentifier", keyIdentifier: forge.util.hexToBytes(keyId) }]),
  ];
}

/** In a version 3 certificate the issuer is the fourth element. */
function replaceIssuer(content: forge.asn1.Asn1, issuer: forge.asn1.Asn1): void {
  if (!Array.isArray(content.value)) throw new TypeError("the content of a certificate is a sequence");
  content.value[3] = issuer;
}

const ascii = /^[ -~]*$/;
const printable = /^[A-Za-z0-9 '()+,\-./:=?]*$/;

/** String types of RFC 5280: printable for country and serial number, IA5 for the e-mail address, otherwise UTF-8. */
function toForgeAttribute({ name, value }: SubjectAttribute): forge.pki.CertificateField {
  const field = { name, value, valueTagClass: stringTypeOf(name, value) };
  // The type declarations of forge confuse the number of a string type with that of a class.
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

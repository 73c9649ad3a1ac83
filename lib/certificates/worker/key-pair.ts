import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  sign,
  verify,
  X509Certificate,
} from "node:crypto";

const dayMs = 86_400_000;

/** Smallest and largest RSA key that is taken or made, in bits (`api.md` 6.3). */
export const keyBits = { min: 1024, max: 8192 } as const;

export interface KeyFacts {
  /** SHA-256 of the public key (DER of its SubjectPublicKeyInfo), hexadecimal digits: names the key without giving it. */
  readonly keyFingerprint: string;
}

/** What names a certificate. */
export interface CertificateFacts {
  /** Attributes in one line. */
  readonly subject: string;
  /** Hexadecimal digits. */
  readonly serialNumber: string;
  /** Length of its validity, whole days. */
  readonly days: number;
  /** End of its validity; ISO 8601 where it is a text. */
  readonly expiresAt: Date | string;
}

/** What is known of a certificate and a private key that could both be read. */
export interface KeyPair extends CertificateFacts, KeyFacts {
  readonly expiresAt: Date;
  /** Whether the private key is the one that the certificate was made for. */
  readonly belongsTogether: boolean;
}

/**
 * Reads a certificate and a private key.
 *
 * @param certificate PEM
 * @param privateKey PEM, not encrypted, RSA
 * @returns null when either cannot be read, or the key is none that this server could make a new certificate for
 */
export function readKeyPair(certificate: string, privateKey: string): KeyPair | null {
  const key = readPrivateKey(privateKey);
  const parsed = readCertificate(certificate);
  if (key === null || parsed === null) return null;
  const expiresAt = new Date(parsed.validTo);
  if (Number.isNaN(expiresAt.getTime())) return null;
  return {
    expiresAt,
    belongsTogether: parsed.checkPrivateKey(key),
    subject: parsed.subject.replaceAll("\n", ", "),
    serialNumber: parsed.serialNumber.toLowerCase(),
    days: Math.round((expiresAt.getTime() - Date.parse(parsed.validFrom)) / dayMs),
    keyFingerprint: fingerprintOf(key),
  };
}

/** SHA-256 of the public half of a key, hexadecimal digits. */
export function fingerprintOf(key: KeyObject): string {
  const publicKey = key.type === "public" ? key : createPublicKey(key);
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
}

/** The fingerprint of a private key in PEM; null when it cannot be read. */
export function findFingerprint(privateKey: string): string | null {
  const key = readPrivateKey(privateKey);
  return key === null ? null : fingerprintOf(key);
}

/**
 * Reads an RSA private key in PEM of PKCS#1 or PKCS#8.
 *
 * @param passphrase opens an encrypted key; without it encrypted keys are refused
 * @returns null when it cannot be read, has another type or an unusual size, or its parts do not fit together
 */
export function readPrivateKey(pem: string, passphrase?: string): KeyObject | null {
  if (!isPemText(pem)) return null;
  try {
    const key = createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType !== "rsa" || bits < keyBits.min || bits > keyBits.max) return null;
    // OpenSSL reads a key whose parts contradict each other; a certificate made with it would be worthless.
    const probe = Buffer.from("probe");
    return verify("sha256", probe, createPublicKey(key), sign("sha256", probe, key)) ? key : null;
  } catch {
    return null;
  }
}

function readCertificate(pem: string): X509Certificate | null {
  if (!isPemText(pem)) return null;
  try {
    return new X509Certificate(pem);
  } catch {
    return null;
  }
}

/** Text that can be stored and sent as it is: no NUL, no half surrogates. */
function isPemText(text: string): boolean {
  return text.includes("-----BEGIN ") && text.isWellFormed() && !text.includes("\0");
}

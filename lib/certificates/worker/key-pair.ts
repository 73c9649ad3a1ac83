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

/** Minimum and maximum size of an RSA key, in bits (`api.md` 6.3). */
export const keyBits = { min: 1024, max: 8192 } as const;

export interface KeyFacts {
  /** SHA-256 of the public key (DER of its SubjectPublicKeyInfo), hexadecimal: identifies the key, reveals nothing. */
  readonly keyFingerprint: string;
}

export interface CertificateFacts {
  /** All attributes in one line. */
  readonly subject: string;
  /** Hexadecimal digits. */
  readonly serialNumber: string;
  readonly days: number;
  /** End of its validity; a text is ISO 8601. */
  readonly expiresAt: Date | string;
}

export interface KeyPair extends CertificateFacts, KeyFacts {
  readonly expiresAt: Date;
  /** The certificate was issued for the private key. */
  readonly belongsTogether: boolean;
}

/** Reads PEM; the key is unencrypted RSA. Null if either is unreadable, or no certificate can be issued for the key. */
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

/** What a head unit sees in the certificate of an app (`api.md` 6.2). */
export interface AppCertificateFacts {
  /** The serialNumber of its subject, by which head units know the app; null: none. */
  readonly appId: string | null;
  /** Whether no authority has signed it. */
  readonly isSelfSigned: boolean;
}

/** `certificate` is PEM that `readKeyPair` can read. */
export function readAppCertificate(certificate: string): AppCertificateFacts {
  const read = new X509Certificate(certificate);
  const appId = new Map<string, unknown>(Object.entries(read.toLegacyObject().subject)).get("serialNumber");
  return { appId: typeof appId === "string" ? appId : null, isSelfSigned: read.verify(read.publicKey) };
}

export function fingerprintOf(key: KeyObject): string {
  const publicKey = key.type === "public" ? key : createPublicKey(key);
  return createHash("sha256")
    .update(publicKey.export({ type: "spki", format: "der" }))
    .digest("hex");
}

/** PEM; null if it is unreadable. */
export function findFingerprint(privateKey: string): string | null {
  const key = readPrivateKey(privateKey);
  return key === null ? null : fingerprintOf(key);
}

/** PKCS#1 or PKCS#8, encrypted only with `passphrase`. Null if unreadable, of another type or size, or inconsistent. */
export function readPrivateKey(pem: string, passphrase?: string): KeyObject | null {
  if (!isPemText(pem)) return null;
  try {
    const key = createPrivateKey({ key: pem, ...(passphrase === undefined ? {} : { passphrase }) });
    const bits = key.asymmetricKeyDetails?.modulusLength ?? 0;
    if (key.asymmetricKeyType !== "rsa" || bits < keyBits.min || bits > keyBits.max) return null;
    // OpenSSL accepts inconsistent keys; a certificate for such a key would be worthless.
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

/** Whether a text can be stored and sent unchanged: no NUL, no lone surrogates. */
function isPemText(text: string): boolean {
  return text.includes("-----BEGIN ") && text.isWellFormed() && !text.includes("\0");
}

"one per process";

import { createCipheriv, createDecipheriv, createHash, randomBytes } from "node:crypto";
import { loadSettings } from "@/lib/platform/settings";

/** Prefix of an encrypted key in the database; a PEM text never has it. */
const mark = "sealed:v1:";
/** Binds the ciphertext to its purpose, so that it cannot be used for anything else. */
const purpose = Buffer.from("module_configs.privateKey");
const nonceBytes = 12;
const tagBytes = 16;

/** A stored private key that this server cannot read. The message contains the reason, but no key. */
export class SealedKeyError extends Error {
  override readonly name = "SealedKeyError";
}

/** Encrypts (AES-256-GCM) with a 32-byte `key` (`KEY_ENCRYPTION_KEY`); null leaves keys readable. Sealed keys stay. */
export function sealPrivateKey(
  privateKey: string | null,
  key: Buffer | null = loadSettings().keyEncryptionKey,
): string | null {
  if (privateKey === null || privateKey === "" || key === null || isSealedKey(privateKey)) return privateKey;
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv("aes-256-gcm", key, nonce).setAAD(purpose);
  const text = Buffer.concat([cipher.update(privateKey, "utf8"), cipher.final()]);
  return `${mark}${idOf(key)}:${Buffer.concat([nonce, cipher.getAuthTag(), text]).toString("base64url")}`;
}

/** Returns PEM. Throws SealedKeyError if the key was encrypted with another key, or is damaged. */
export function openPrivateKey(
  stored: string | null,
  key: Buffer | null = loadSettings().keyEncryptionKey,
): string | null {
  if (stored === null || !isSealedKey(stored)) return stored;
  if (key === null) throw new SealedKeyError("A private key is encrypted and KEY_ENCRYPTION_KEY is not set");
  const [id = "", text = ""] = stored.slice(mark.length).split(":");
  if (id !== idOf(key)) throw new SealedKeyError("A private key is encrypted with another KEY_ENCRYPTION_KEY");
  const bytes = Buffer.from(text, "base64url");
  const textAt = nonceBytes + tagBytes;
  try {
    const decipher = createDecipheriv("aes-256-gcm", key, bytes.subarray(0, nonceBytes), { authTagLength: tagBytes })
      .setAAD(purpose)
      .setAuthTag(bytes.subarray(nonceBytes, textAt));
    return decipher.update(bytes.subarray(textAt), undefined, "utf8") + decipher.final("utf8");
  } catch (cause) {
    throw new SealedKeyError("An encrypted private key is damaged", { cause });
  }
}

export function isSealedKey(stored: string): boolean {
  return stored.startsWith(mark);
}

/** Identifies a key without revealing anything about it. */
function idOf(key: Buffer): string {
  return createHash("sha256").update("key id\0").update(key).digest("base64url").slice(0, 8);
}

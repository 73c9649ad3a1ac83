import { createHash, timingSafeEqual } from "node:crypto";

/**
 * Compares two secrets in a time that depends on neither (`api.md` 0.6): digests have equal lengths whatever the texts.
 *
 * @param equal compares two buffers of one length in constant time
 */
export function equalSecrets(one: string, other: string, equal = timingSafeEqual): boolean {
  return equal(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

/**
 * Whether a header holds a secret. Header values arrive as one character for each byte; a secret beyond ASCII is sent as
 * UTF-8 by some clients and as Latin-1 by others, so both readings count.
 */
export function headerEquals(value: string | null, secret: string, equal = timingSafeEqual): boolean {
  const text = value ?? "";
  const asLatin1 = equalSecrets(text, secret, equal);
  const asUtf8 = equalSecrets(Buffer.from(text, "latin1").toString("utf8"), secret, equal);
  return (asLatin1 || asUtf8) && value !== null;
}

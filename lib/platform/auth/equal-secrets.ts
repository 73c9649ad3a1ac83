import { createHash, timingSafeEqual } from "node:crypto";

/** Compares two secrets in constant time (`api.md` 0.6): digests have equal lengths. */
export function equalSecrets(one: string, other: string, equal = timingSafeEqual): boolean {
  return equal(digest(one), digest(other));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text, "utf8").digest();
}

/** Whether a header holds a secret. Clients send non-ASCII characters as UTF-8 or Latin-1, so both readings count. */
export function headerEquals(value: string | null, secret: string, equal = timingSafeEqual): boolean {
  const text = value ?? "";
  const asLatin1 = equalSecrets(text, secret, equal);
  const asUtf8 = equalSecrets(Buffer.from(text, "latin1").toString("utf8"), secret, equal);
  return (asLatin1 || asUtf8) && value !== null;
}

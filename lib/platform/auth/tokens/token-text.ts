import { createHash, randomBytes, timingSafeEqual } from "node:crypto";

/** `ops_<8 characters>_<43 characters>`: a prefix that finds the record, and 32 random bytes (`people.md` P10). */
const form = /^ops_([0-9a-f]{8})_([\w-]{43})$/;

export interface TokenText {
  readonly prefix: string;
  readonly secret: string;
}

export function makeTokenText(): TokenText & { readonly text: string } {
  const prefix = randomBytes(4).toString("hex");
  const secret = randomBytes(32).toString("base64url");
  return { prefix, secret, text: `ops_${prefix}_${secret}` };
}

export function parseTokenText(text: string): TokenText | null {
  const [, prefix, secret] = form.exec(text) ?? [];
  return prefix === undefined || secret === undefined ? null : { prefix, secret };
}

/** The stored form of a secret. No salt is needed, because the secret is random. */
export function hashSecret(secret: string): string {
  return createHash("sha256").update(secret, "utf8").digest("hex");
}

export function isSecretOf(secret: string, hash: string | null): boolean {
  const stored = Buffer.from(hash ?? "0".repeat(64), "hex");
  const own = Buffer.from(hashSecret(secret), "hex");
  return stored.length === own.length && timingSafeEqual(own, stored) && hash !== null;
}

/** The token in `Authorization: Bearer ops_…`; null: none, or that of a proxy. */
export function readBearerToken(headers: Headers): string | null {
  return /^bearer +(ops_\S*)$/i.exec(headers.get("authorization")?.trim() ?? "")?.[1] ?? null;
}

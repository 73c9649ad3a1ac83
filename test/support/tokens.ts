import { accessTokens } from "@/lib/platform/auth/tokens/access-tokens";
import { hashSecret, makeTokenText } from "@/lib/platform/auth/tokens/token-text";
import type { Role } from "@/lib/vocabulary/roles";

let lastId = 1_000_000;

/** Creates a token that only this process knows, and returns the header to send. Its name is `Program of a <role>`. */
export function withToken(role: Role, { expiresAt = null }: { readonly expiresAt?: Date | null } = {}) {
  const { prefix, secret, text } = makeTokenText();
  lastId += 1;
  accessTokens().add({
    ...{ _id: lastId, name: `Program of a ${role}`, role, prefix, hash: hashSecret(secret), expiresAt },
    // Within this hour, so that nothing needs to be stored.
    lastUsedAt: new Date(),
  });
  return { authorization: `Bearer ${text}` };
}

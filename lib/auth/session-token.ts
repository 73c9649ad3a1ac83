import "server-only";
import { createHmac } from "node:crypto";
import { decode, encode, type JWT } from "next-auth/jwt";
import { equalSecrets } from "@/lib/auth/equal-secrets";
import { loadSessionSecret } from "@/lib/auth/session-secret";
import { loadSettings } from "@/lib/settings";

/** A session ends this long after its login, however it is used (`api.md` 2.1). */
export const sessionSeconds = 12 * 60 * 60;

/** The claims of a new session. The password is not among them, only what shows whether it is still the same. */
export function buildSessionClaims(): JWT {
  return { sub: "administrator", name: "Administrator", since: nowInSeconds(), password: passwordMark() };
}

/**
 * Seals claims as next-auth does. The end stays where the login put it: next-auth seals a session again whenever it is
 * asked about one, and would let it live for ever.
 */
export async function encodeSession(claims: JWT): Promise<string> {
  const since = typeof claims.since === "number" ? claims.since : nowInSeconds();
  return encode({
    token: claims,
    secret: loadSessionSecret(),
    maxAge: Math.max(0, since + sessionSeconds - nowInSeconds()),
  });
}

/** The claims of a session that holds: sealed by us, not over, and begun with the password of today; else null. */
export async function decodeSession(token: string | null | undefined): Promise<JWT | null> {
  if (!token) return null;
  const claims = await decode({ token, secret: loadSessionSecret() }).catch(() => null);
  if (claims?.sub !== "administrator" || typeof claims.password !== "string") return null;
  return equalSecrets(claims.password, passwordMark()) ? claims : null;
}

/** When a session ends, in milliseconds since 1970. */
export function findSessionEnd({ since }: JWT): number | null {
  return typeof since === "number" ? (since + sessionSeconds) * 1000 : null;
}

/** Changing the password ends every session. */
function passwordMark(): string {
  return createHmac("sha256", loadSessionSecret())
    .update(loadSettings().basicAuthPassword ?? "")
    .digest("base64url");
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

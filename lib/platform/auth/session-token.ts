import "server-only";
import { createHmac, randomBytes } from "node:crypto";
import { decode, encode, type JWT } from "next-auth/jwt";
import { endedSessions } from "@/lib/platform/auth/ended-sessions";
import { equalSecrets } from "@/lib/platform/auth/equal-secrets";
import { loadSessionSecret } from "@/lib/platform/secrets/own-secret";
import { loadSettings } from "@/lib/platform/settings";

/** Maximum length of a session, even in use (`api.md` 2.1). */
export const sessionSeconds = 12 * 60 * 60;
const renewalSeconds = 60;

export function buildPersonClaims(): JWT & { readonly sid: string } {
  return { sub: "person", sid: randomBytes(16).toString("base64url"), since: nowInSeconds() };
}

/** The claims of a new password session. Instead of the password, they contain a mark that shows whether it has changed. */
export function buildSessionClaims(): JWT {
  const sid = randomBytes(16).toString("base64url");
  return { sub: "administrator", name: "Administrator", sid, since: nowInSeconds(), password: passwordMark() };
}

/** Seals claims like next-auth, but only until the session ends. Each seal restarts the idle time. */
export async function encodeSession(claims: JWT): Promise<string> {
  return encode({ token: claims, secret: loadSessionSecret(), maxAge: secondsLeft(claims, nowInSeconds()) });
}

export function findSealSeconds(claims: JWT): number {
  return secondsLeft(claims, nowInSeconds());
}

/** The claims of a valid session: sealed by this server, not expired or signed out, password unchanged. Otherwise null. */
export async function decodeSession(token: string | null | undefined): Promise<JWT | null> {
  if (!token) return null;
  const claims = await decode({ token, secret: loadSessionSecret() }).catch(() => null);
  if (claims === null || !isOfToday(claims)) return null;
  if (typeof claims.sid !== "string" || endedSessions().has(claims.sid)) return null;
  if (sealedAt(claims) + secondsLeft(claims, sealedAt(claims)) <= nowInSeconds()) return null;
  return claims;
}

function isOfToday({ sub, password }: JWT): boolean {
  const { authType, basicAuthPassword } = loadSettings();
  if (sub === "person") return authType === "oidc";
  if (sub !== "administrator" || typeof password !== "string" || basicAuthPassword === null) return false;
  return equalSecrets(password, passwordMark());
}

export function isSealOld(claims: JWT): boolean {
  return nowInSeconds() - sealedAt(claims) >= renewalSeconds;
}

/** When a session ends if it is not used again, in milliseconds since 1970. */
export function findSessionEnd(claims: JWT): number {
  return (sealedAt(claims) + secondsLeft(claims, sealedAt(claims))) * 1000;
}

export function findEndInUse(claims: JWT): number {
  return isSealOld(claims) ? (nowInSeconds() + secondsLeft(claims, nowInSeconds())) * 1000 : findSessionEnd(claims);
}

/** Ends a session early, on every instance. Only claims of `decodeSession` have an effect. */
export async function endSession({ sid, since }: JWT): Promise<void> {
  if (typeof sid !== "string" || typeof since !== "number") return;
  await endedSessions().add(sid, (since + sessionSeconds) * 1000);
}

function secondsLeft({ since }: JWT, from: number): number {
  const begun = typeof since === "number" ? since : from;
  return Math.max(0, Math.min(begun + sessionSeconds - from, loadSettings().sessionIdleMinutes * 60));
}

function sealedAt({ iat }: JWT): number {
  return typeof iat === "number" ? iat : 0;
}

/** Part of the claims, so that a new password ends every session. */
function passwordMark(): string {
  return createHmac("sha256", loadSessionSecret())
    .update(loadSettings().basicAuthPassword ?? "")
    .digest("base64url");
}

function nowInSeconds(): number {
  return Math.floor(Date.now() / 1000);
}

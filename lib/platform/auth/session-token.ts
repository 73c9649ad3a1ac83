import "server-only";
import { createHmac, randomBytes } from "node:crypto";
import { decode, encode, type JWT } from "next-auth/jwt";
import { endedSessions } from "@/lib/platform/auth/ended-sessions";
import { equalSecrets } from "@/lib/platform/auth/equal-secrets";
import { loadSessionSecret } from "@/lib/platform/secrets/own-secret";
import { loadSettings } from "@/lib/platform/settings";

/** A session ends this long after its login, however it is used (`api.md` 2.1). */
export const sessionSeconds = 12 * 60 * 60;
/** A seal younger than this is left as it is. */
const renewalSeconds = 60;

/** The claims of the session of somebody whom the identity provider has named. What they may is not among them. */
export function buildPersonClaims(): JWT & { readonly sid: string } {
  return { sub: "person", sid: randomBytes(16).toString("base64url"), since: nowInSeconds() };
}

/** The claims of a new session. The password is not among them, only what shows whether it is still the same. */
export function buildSessionClaims(): JWT {
  const sid = randomBytes(16).toString("base64url");
  return { sub: "administrator", name: "Administrator", sid, since: nowInSeconds(), password: passwordMark() };
}

/** Seals claims as next-auth does, but no longer than the session lasts from its login. Each seal restarts the idle time. */
export async function encodeSession(claims: JWT): Promise<string> {
  return encode({ token: claims, secret: loadSessionSecret(), maxAge: secondsLeft(claims, nowInSeconds()) });
}

/** The seconds that a cookie sealed now is good for. */
export function findSealSeconds(claims: JWT): number {
  return secondsLeft(claims, nowInSeconds());
}

/** The claims of a session that is ours, current, not signed out of, and begun with today's password; else null. */
export async function decodeSession(token: string | null | undefined): Promise<JWT | null> {
  if (!token) return null;
  const claims = await decode({ token, secret: loadSessionSecret() }).catch(() => null);
  if (claims === null || !isOfToday(claims)) return null;
  if (typeof claims.sid !== "string" || endedSessions().has(claims.sid)) return null;
  if (sealedAt(claims) + secondsLeft(claims, sealedAt(claims)) <= nowInSeconds()) return null;
  return claims;
}

/** Whether sessions of this kind are still begun, and this one with the password of today. */
function isOfToday({ sub, password }: JWT): boolean {
  const { authType, basicAuthPassword } = loadSettings();
  if (sub === "person") return authType === "oidc";
  if (sub !== "administrator" || typeof password !== "string" || basicAuthPassword === null) return false;
  return equalSecrets(password, passwordMark());
}

/** Whether a session in use is to be sealed again, so that it does not count as idle. */
export function isSealOld(claims: JWT): boolean {
  return nowInSeconds() - sealedAt(claims) >= renewalSeconds;
}

/** When a session ends unless it is used again, in milliseconds since 1970. */
export function findSessionEnd(claims: JWT): number {
  return (sealedAt(claims) + secondsLeft(claims, sealedAt(claims))) * 1000;
}

/** When a session ends that is used now, and sealed again where its seal is old; as `findSessionEnd`. */
export function findEndInUse(claims: JWT): number {
  return isSealOld(claims) ? (nowInSeconds() + secondsLeft(claims, nowInSeconds())) * 1000 : findSessionEnd(claims);
}

/** Ends a session before its time, on every instance. Other claims than those of `decodeSession` end nothing. */
export async function endSession({ sid, since }: JWT): Promise<void> {
  if (typeof sid !== "string" || typeof since !== "number") return;
  await endedSessions().add(sid, (since + sessionSeconds) * 1000);
}

/** How long a seal made at a time holds: until the end of the session, and no longer than it may be left idle. */
function secondsLeft({ since }: JWT, from: number): number {
  const begun = typeof since === "number" ? since : from;
  return Math.max(0, Math.min(begun + sessionSeconds - from, loadSettings().sessionIdleMinutes * 60));
}

function sealedAt({ iat }: JWT): number {
  return typeof iat === "number" ? iat : 0;
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

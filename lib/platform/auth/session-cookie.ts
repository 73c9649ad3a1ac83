import "server-only";
import type { JWT } from "next-auth/jwt";
import { isSecureRequest } from "@/lib/platform/auth/request-guard";
import { decodeSession, encodeSession, findSealSeconds, isSealOld } from "@/lib/platform/auth/session-token";
import { sessionCookie } from "@/lib/platform/http/headers/caller";
import { loadSettings } from "@/lib/platform/settings";
import { requiresSignIn } from "@/lib/platform/settings/kinds";

/** With the `__Host-` prefix, browsers accept the cookie only over TLS and from this exact host: no other can plant one. */
const cookieName = (name: string, isSecure: boolean) => `${isSecure ? "__Host-" : ""}${name}`;
export const sessionCookieName = (isSecure: boolean) => cookieName(sessionCookie, isSecure);

/** A cookie that the browser sent; null without one. The last of several counts. */
export function readCookie(headers: Headers, name: string): string | null {
  const prefix = `${cookieName(name, isSecureRequest(headers))}=`;
  const pairs = headers.get("cookie")?.split(";") ?? [];
  const found = pairs.findLast((pair) => pair.trim().startsWith(prefix));
  return found === undefined ? null : found.trim().slice(prefix.length);
}

/** The `Set-Cookie` value for the browser that sent `headers`. Scripts cannot read the cookie. `maxAge`: in seconds. */
export function buildCookie(headers: Headers, name: string, value: string, maxAge: number): string {
  const isSecure = isSecureRequest(headers);
  const flags = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return `${cookieName(name, isSecure)}=${value}; ${flags}`;
}

export const readSessionCookie = (headers: Headers): string | null => readCookie(headers, sessionCookie);

export function buildSessionCookie(headers: Headers, token: string, maxAge: number): string {
  return buildCookie(headers, sessionCookie, token, maxAge);
}

export function buildEndedSessionCookie(headers: Headers): string {
  return buildSessionCookie(headers, "", 0);
}

export function hasSessions(): boolean {
  return requiresSignIn(loadSettings().authType);
}

export async function findSessionId(headers: Headers): Promise<string | null> {
  const session = await findSession(headers);
  return session?.sub === "person" && typeof session.sid === "string" ? session.sid : null;
}

export async function findSession(headers: Headers): Promise<JWT | null> {
  return hasSessions() ? decodeSession(readSessionCookie(headers)) : null;
}

/** The `Set-Cookie` value that keeps an active session alive; null: no session, or just renewed. */
export async function renewSessionCookie(headers: Headers): Promise<string | null> {
  if (!requiresSignIn(loadSettings().authType)) return null;
  const claims = await decodeSession(readSessionCookie(headers));
  if (claims === null || !isSealOld(claims)) return null;
  return buildSessionCookie(headers, await encodeSession(claims), findSealSeconds(claims));
}

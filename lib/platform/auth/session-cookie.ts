import { isSecureRequest } from "@/lib/platform/auth/own-origin";

/** Browsers take a cookie with the prefix only over TLS and from this very host: no other line, no other host can plant one. */
export const sessionCookieName = (isSecure: boolean) => `${isSecure ? "__Host-" : ""}next-auth.session-token`;

/** The sealed session that a browser sent, valid or not; null without one. The last of several counts. */
export function readSessionCookie(headers: Headers): string | null {
  const prefix = `${sessionCookieName(isSecureRequest(headers))}=`;
  const pairs = headers.get("cookie")?.split(";") ?? [];
  const found = pairs.findLast((pair) => pair.trim().startsWith(prefix));
  return found === undefined ? null : found.trim().slice(prefix.length);
}

/** The value of `Set-Cookie` that starts a session, for the browser that sent `headers` (`api.md` 2.1). */
export function buildSessionCookie(headers: Headers, token: string, maxAge: number): string {
  const isSecure = isSecureRequest(headers);
  return `${sessionCookieName(isSecure)}=${token}; Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
}

/** The value of `Set-Cookie` that ends a session. */
export function buildEndedSessionCookie(headers: Headers): string {
  return buildSessionCookie(headers, "", 0);
}

import { NextRequest } from "next/server";
import { isSecureRequest } from "@/lib/auth/own-origin";

/** Browsers take a cookie with the prefix only over TLS and from this very host: no other line, no other host can plant one. */
export const sessionCookieName = (isSecure: boolean) => `${isSecure ? "__Host-" : ""}next-auth.session-token`;

/** The sealed session a browser sent, or null. Says nothing about whether it holds. */
export function readSessionCookie(headers: Headers): string | null {
  const cookie = headers.get("cookie");
  if (cookie === null) return null;
  const { cookies } = new NextRequest("http://localhost", { headers: { cookie } });
  return cookies.get(sessionCookieName(isSecureRequest(headers)))?.value ?? null;
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

import { randomBytes } from "node:crypto";
import { NextResponse, type NextRequest } from "next/server";
import { comesFromProxy } from "@/lib/platform/auth/callers/proxy-user";
import { isOwnHost } from "@/lib/platform/auth/request-guard";
import { buildLoginPath } from "@/lib/platform/auth/safe-path";
import { readSessionCookie, renewSessionCookie } from "@/lib/platform/auth/session-cookie";
import { AppError } from "@/lib/platform/errors";
import { findOwnPath } from "@/lib/platform/http/api-path";
import { buildPagePolicy, nonceHeader, pagePathHeader } from "@/lib/platform/http/headers/page-policy";
import { loadSettings } from "@/lib/platform/settings";
import { requiresSignIn } from "@/lib/platform/settings/kinds";

/**
 * Refuses foreign host names, redirects browsers without a session early, and sets the Content-Security-Policy.
 * Never the only check: pages (`requirePage`) and routes check again.
 */
export async function proxy(request: NextRequest): Promise<NextResponse> {
  if (!isOwnHost(request.headers)) return refuse(new AppError("misdirected"));
  const { authType, nodeEnv } = loadSettings();
  const { pathname, searchParams } = request.nextUrl;
  // Added by Next's router.
  searchParams.delete("_rsc");
  const hasPassword = pathname.startsWith("/login") && searchParams.has("password");
  // Addresses end up in logs and histories, so a password is removed without being checked.
  if (hasPassword) searchParams.delete("password");
  const query = searchParams.size === 0 ? "" : `?${searchParams.toString()}`;
  const path = `${pathname}${query}`;
  const ownPath = findOwnPath(pathname);
  if (ownPath !== null || hasPassword) {
    return NextResponse.redirect(new URL((ownPath ?? pathname) + query, request.url), 308);
  }
  const isLogin = pathname === "/login";
  const isStranger =
    readSessionCookie(request.headers) === null &&
    !request.headers.has("basic-auth-password") &&
    !comesFromProxy(request.headers);
  if (requiresSignIn(authType) && isStranger && !isLogin) {
    return NextResponse.redirect(new URL(buildLoginPath(path), request.url));
  }

  const nonce = randomBytes(16).toString("base64");
  const policy = buildPagePolicy(nonce, nodeEnv === "development");
  const headers = new Headers(request.headers);
  headers.set(nonceHeader, nonce);
  headers.set(pagePathHeader, path);
  headers.set("content-security-policy", policy);
  const response = NextResponse.next({ request: { headers } });
  response.headers.set("content-security-policy", policy);
  const renewed = await renewSessionCookie(request.headers);
  if (renewed !== null) response.headers.append("set-cookie", renewed);
  return response;
}

function refuse({ status, message }: AppError): NextResponse {
  const headers = { "content-type": "text/plain; charset=utf-8", "cache-control": "no-store" };
  return new NextResponse(`${message}.\n`, { status, headers });
}

export const config = {
  // Only pages, without the API, machine routes and static files.
  matcher: [
    "/((?!api(?:/|$)|health(?:/|$)|metrics/?$|version/?$|webhooks/?$|bundles/|images/|_next/|icon\\.svg$|favicon\\.ico$).*)",
  ],
};

import "server-only";
import type { NextAuthOptions } from "next-auth";
import credentialsProvider from "next-auth/providers/credentials";
import { requirePassword } from "@/lib/platform/auth/login";
import { findRequestOrigin, isSecureRequest } from "@/lib/platform/auth/request-guard";
import { buildSafePath } from "@/lib/platform/auth/safe-path";
import { loadSessionSecret } from "@/lib/platform/secrets/own-secret";
import { sessionCookieName } from "@/lib/platform/auth/session-cookie";
import {
  buildSessionClaims,
  decodeSession,
  encodeSession,
  endSession,
  sessionSeconds,
} from "@/lib/platform/auth/session-token";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";

/** next-auth options for one request: cookie names and the `Secure` flag depend on its protocol. */
export function buildNextAuthOptions(headers: Headers): NextAuthOptions {
  const ownOrigin = findRequestOrigin(headers);
  return {
    secret: loadSessionSecret(),
    useSecureCookies: isSecureRequest(headers),
    // next-auth's default cookie name over TLS would let other hosts of the domain set the cookie.
    cookies: {
      sessionToken: {
        name: sessionCookieName(isSecureRequest(headers)),
        options: { httpOnly: true, sameSite: "lax", path: "/", secure: isSecureRequest(headers) },
      },
    },
    session: { strategy: "jwt", maxAge: sessionSeconds },
    jwt: {
      maxAge: sessionSeconds,
      encode: ({ token }) => encodeSession(token ?? {}),
      decode: ({ token }) => decodeSession(token),
    },
    pages: { signIn: "/login", signOut: "/", error: "/login" },
    providers: [
      credentialsProvider({
        credentials: { password: { label: "Password", type: "password" } },
        authorize: (credentials) => authorize(credentials?.password, headers),
      }),
    ],
    events: { signOut: ({ token }) => endSession(token) },
    callbacks: {
      jwt: ({ token, trigger }) => (trigger === "signIn" ? buildSessionClaims() : token),
      redirect: ({ url }) => buildSafePath(url.startsWith(`${ownOrigin}/`) ? url.slice(ownOrigin.length) : url),
    },
    logger: {
      // An expired session, or one sealed with another secret, is not an error.
      error: (code, metadata) => {
        if (code === "JWT_SESSION_ERROR") return;
        log.error({ code, err: metadata instanceof Error ? metadata : metadata.error }, "next-auth failed");
      },
      // The only warning here asks for NEXTAUTH_URL. It is not needed, because all addresses are relative.
      warn: () => undefined,
      debug: () => undefined,
    },
  };
}

async function authorize(password: unknown, headers: Headers): Promise<{ id: string; name: string } | null> {
  if (loadSettings().authType !== "basic") return null;
  try {
    await requirePassword(password, headers);
    return { id: "administrator", name: "Administrator" };
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
}

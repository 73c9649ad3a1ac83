import "server-only";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { isSecureRequest } from "@/lib/platform/auth/own-origin";
import { loadSessionSecret } from "@/lib/platform/auth/session-secret";

const salt = "sign-in under way";
/** How long somebody may take at the provider, in seconds. */
const longestSeconds = 10 * 60;
const cookieName = (isSecure: boolean) => `${isSecure ? "__Host-" : ""}sign-in`;

const flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  /** Path to go on to. */
  target: z.string(),
});
/** What a sign-in under way has to be compared with when the browser comes back. */
export type Flow = z.output<typeof flow>;

/** The value of `Set-Cookie` with which a browser begins to sign in. It comes back from another site: hence Lax. */
export async function buildFlowCookie(headers: Headers, token: Flow): Promise<string> {
  const value = await encode({ token, secret: loadSessionSecret(), maxAge: longestSeconds, salt });
  return buildCookie(headers, value, longestSeconds);
}

/** The value of `Set-Cookie` that ends it. */
export function buildEndedFlowCookie(headers: Headers): string {
  return buildCookie(headers, "", 0);
}

/** The sign-in that this browser has begun; null: none, or it has taken too long. */
export async function readFlowCookie(headers: Headers): Promise<Flow | null> {
  const prefix = `${cookieName(isSecureRequest(headers))}=`;
  const pairs = headers.get("cookie")?.split(";") ?? [];
  const token = pairs
    .findLast((pair) => pair.trim().startsWith(prefix))
    ?.trim()
    .slice(prefix.length);
  if (token === undefined || token === "") return null;
  const opened = await decode({ token, secret: loadSessionSecret(), salt }).catch(() => null);
  return flow.safeParse(opened).data ?? null;
}

function buildCookie(headers: Headers, value: string, maxAge: number): string {
  const isSecure = isSecureRequest(headers);
  const flags = `Path=/; Max-Age=${maxAge}; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return `${cookieName(isSecure)}=${value}; ${flags}`;
}

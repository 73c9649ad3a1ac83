import "server-only";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { buildCookie, readCookie } from "@/lib/platform/auth/session-cookie";
import { loadSessionSecret } from "@/lib/platform/secrets/own-secret";

const salt = "sign-in under way";
/** How long somebody may take at the provider, in seconds. */
const longestSeconds = 10 * 60;
const cookieName = "sign-in";

const flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  target: z.string(),
});
export type Flow = z.output<typeof flow>;

/** The value of `Set-Cookie` with which a browser begins to sign in. It comes back from another site: hence Lax. */
export async function buildFlowCookie(headers: Headers, token: Flow): Promise<string> {
  const value = await encode({ token, secret: loadSessionSecret(), maxAge: longestSeconds, salt });
  return buildCookie(headers, cookieName, value, longestSeconds);
}

export function buildEndedFlowCookie(headers: Headers): string {
  return buildCookie(headers, cookieName, "", 0);
}

/** The sign-in that this browser has begun; null: none, or it has taken too long. */
export async function readFlowCookie(headers: Headers): Promise<Flow | null> {
  const token = readCookie(headers, cookieName);
  if (token === null || token === "") return null;
  const opened = await decode({ token, secret: loadSessionSecret(), salt }).catch(() => null);
  return flow.safeParse(opened).data ?? null;
}

import "server-only";
import { decode, encode } from "next-auth/jwt";
import { z } from "zod";
import { buildCookie, readCookie } from "@/lib/platform/auth/session-cookie";
import { loadSessionSecret } from "@/lib/platform/secrets/own-secret";

const salt = "sign-in under way";
const longestSeconds = 10 * 60;
const cookieName = "sign-in";

const flow = z.object({
  state: z.string(),
  nonce: z.string(),
  verifier: z.string(),
  target: z.string(),
});
export type Flow = z.output<typeof flow>;

/** The `Set-Cookie` value for a sign-in in progress. `Lax`, because the browser returns from another site. */
export async function buildFlowCookie(headers: Headers, token: Flow): Promise<string> {
  const value = await encode({ token, secret: loadSessionSecret(), maxAge: longestSeconds, salt });
  return buildCookie(headers, cookieName, value, longestSeconds);
}

export function buildEndedFlowCookie(headers: Headers): string {
  return buildCookie(headers, cookieName, "", 0);
}

export async function readFlowCookie(headers: Headers): Promise<Flow | null> {
  const token = readCookie(headers, cookieName);
  if (token === null || token === "") return null;
  const opened = await decode({ token, secret: loadSessionSecret(), salt }).catch(() => null);
  return flow.safeParse(opened).data ?? null;
}

import "server-only";
import type { JWT } from "next-auth/jwt";
import { readSessionCookie } from "@/lib/platform/auth/session-cookie";
import { decodeSession } from "@/lib/platform/auth/session-token";
import { loadSettings } from "@/lib/platform/settings";
import { asksWho } from "@/lib/platform/settings/access-kinds";

/** Whether people sign in here, and have sessions. */
export function hasSessions(): boolean {
  return asksWho(loadSettings().authType);
}

/** The id of the session of somebody whom the identity provider has named; null: there is none. */
export async function findSessionId(headers: Headers): Promise<string | null> {
  const session = await findSession(headers);
  return session?.sub === "person" && typeof session.sid === "string" ? session.sid : null;
}

/** The session to sign out of, or null. */
export async function findSession(headers: Headers): Promise<JWT | null> {
  return hasSessions() ? decodeSession(readSessionCookie(headers)) : null;
}

import "server-only";
import { buildSessionCookie, readSessionCookie } from "@/lib/platform/auth/session-cookie";
import { decodeSession, encodeSession, findSealSeconds, isSealOld } from "@/lib/platform/auth/session-token";
import { loadSettings } from "@/lib/platform/settings";
import { asksWho } from "@/lib/platform/settings/access-kinds";

/**
 * The `Set-Cookie` value that keeps a session in use from going idle (`SESSION_IDLE_MINUTES`); null without a session,
 * or if it was renewed a moment ago. Opening a page or changing something is use; what scripts poll is not.
 */
export async function renewSessionCookie(headers: Headers): Promise<string | null> {
  if (!asksWho(loadSettings().authType)) return null;
  const claims = await decodeSession(readSessionCookie(headers));
  if (claims === null || !isSealOld(claims)) return null;
  return buildSessionCookie(headers, await encodeSession(claims), findSealSeconds(claims));
}

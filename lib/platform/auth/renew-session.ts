import "server-only";
import { buildSessionCookie, readSessionCookie } from "@/lib/platform/auth/session-cookie";
import { decodeSession, encodeSession, findSealSeconds, isSealOld } from "@/lib/platform/auth/session-token";
import { loadSettings } from "@/lib/platform/settings";
import { asksWho } from "@/lib/platform/settings/access-kinds";

/**
 * The value of `Set-Cookie` that keeps a session in use from counting as idle (`SESSION_IDLE_MINUTES`); null where there
 * is no session, or where it was sealed a moment ago.
 *
 * Opening a page and changing something is use; what scripts read by themselves, such as counters, is none.
 */
export async function renewSessionCookie(headers: Headers): Promise<string | null> {
  if (!asksWho(loadSettings().authType)) return null;
  const claims = await decodeSession(readSessionCookie(headers));
  if (claims === null || !isSealOld(claims)) return null;
  return buildSessionCookie(headers, await encodeSession(claims), findSealSeconds(claims));
}

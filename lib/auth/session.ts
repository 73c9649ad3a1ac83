import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { isAdmin } from "@/lib/auth/admin";
import { pagePathHeader } from "@/lib/auth/page-path-header";
import { buildLoginPath } from "@/lib/auth/safe-path";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { decodeSession, findSessionEnd } from "@/lib/auth/session-token";
import { loadSettings } from "@/lib/settings";

/**
 * Lets administrators see a page; sends everybody else to the login page and from there back. The first line of every
 * page of the console.
 */
export async function requireAdminPage(): Promise<void> {
  const requestHeaders = await headers();
  if (!(await isAdmin(requestHeaders))) redirect(buildLoginPath(requestHeaders.get(pagePathHeader)));
}

/** When the session of who looks at a page ends, in milliseconds since 1970; null without a session. */
export async function findPageSessionEnd(): Promise<number | null> {
  if (loadSettings().authType !== "basic") return null;
  const claims = await decodeSession(readSessionCookie(await headers()));
  return claims && findSessionEnd(claims);
}

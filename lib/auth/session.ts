import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { findSession, isAdmin } from "@/lib/auth/admin";
import { pagePathHeader } from "@/lib/http/headers/page-path-header";
import { buildLoginPath } from "@/lib/auth/safe-path";
import { findEndInUse } from "@/lib/auth/session-token";

/** Asked once for each page, by its layout and by itself: a wrong password in a header must not count twice. */
const isAdminHere = cache(async () => isAdmin(await headers()));

/**
 * Lets administrators see a page; sends everybody else to the login page and from there back. The first line of every
 * page of the console.
 */
export async function requireAdminPage(): Promise<void> {
  if (!(await isAdminHere())) redirect(buildLoginPath((await headers()).get(pagePathHeader)));
}

/** When the session of who looks at a page ends, left idle, in milliseconds since 1970; null without a session. */
export async function findPageSessionEnd(): Promise<number | null> {
  const claims = await findSession(await headers());
  // `proxy.ts` has sealed it again where that was due: opening a page is use.
  return claims && findEndInUse(claims);
}

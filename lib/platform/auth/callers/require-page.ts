import "server-only";
import { headers } from "next/headers";
import { redirect } from "next/navigation";
import { cache } from "react";
import { findPrincipal } from "@/lib/platform/auth/callers/find-principal";
import { isOwnHost } from "@/lib/platform/auth/request-guard";
import type { Principal } from "@/lib/platform/auth/principal";
import { buildLoginPath } from "@/lib/platform/auth/safe-path";
import { findSession, findSessionId } from "@/lib/platform/auth/session-cookie";
import { findEndInUse } from "@/lib/platform/auth/session-token";
import { AppError } from "@/lib/platform/errors";
import { pagePathHeader } from "@/lib/platform/http/headers/page-policy";
import { mayDo, type Need } from "@/lib/vocabulary/roles";

/** The user who opens a page; null: unknown. Cached, so that a wrong password header counts once. */
export const findReader = cache(async (): Promise<Principal | null> => {
  const requestHeaders = await headers();
  if (!isOwnHost(requestHeaders)) return null;
  try {
    return await findPrincipal(requestHeaders);
  } catch (error) {
    if (error instanceof AppError) return null;
    throw error;
  }
});

/** Redirects users whose role may not see the page. The first line of every console page. */
export async function requirePage(need: Need): Promise<void> {
  const reader = await findReader();
  if (reader !== null && mayDo(reader.role, need)) return;
  const path = (await headers()).get(pagePathHeader);
  redirect(reader === null || reader.role === null ? buildLoginPath(path) : `/no-access?needs=${need}`);
}

export async function findPageSessionId(): Promise<string | null> {
  return findSessionId(await headers());
}

/** When this session ends if left idle, in milliseconds since 1970; null without a session. */
export async function findPageSessionEnd(): Promise<number | null> {
  const claims = await findSession(await headers());
  // Opening a page counts as use: `proxy.ts` has renewed the session if necessary.
  return claims && findEndInUse(claims);
}

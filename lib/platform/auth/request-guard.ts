import { isSameOrigin } from "@/lib/platform/auth/own-origin";
import { isOwnHost } from "@/lib/platform/auth/own-host";
import { AppError } from "@/lib/platform/errors";

/*
 * What keeps the pages of other sites from using this server through the browser of somebody who reaches it
 * (`api.md` 0.6). Every way in that is not open by contract asks here.
 */

/** @throws AppError 421 for a name that may be somebody else's */
export function requireOwnHost(headers: Headers): void {
  if (!isOwnHost(headers)) throw new AppError("misdirected");
}

/**
 * Refuses what a page of another site sends. Every browser names the origin of a change; programs do not.
 *
 * @param mustSay whether a request that says nothing of its origin is refused as well
 * @throws AppError 403
 */
export function requireOwnOrigin(headers: Headers, mustSay: boolean): void {
  const says = headers.has("origin") || headers.has("sec-fetch-site");
  if (says ? isSameOrigin(headers) : !mustSay) return;
  throw new AppError("forbidden", "The request does not come from a page of this server");
}

/** Whether a method may change something. */
export function isWrite(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/**
 * Lets everybody pass who needs no proof, but no page of another site: for signing in and out.
 *
 * @throws AppError 403, 421
 */
export function requireVisitor({ method, headers }: Pick<Request, "method" | "headers">): void {
  requireOwnHost(headers);
  if (isWrite(method)) requireOwnOrigin(headers, false);
}

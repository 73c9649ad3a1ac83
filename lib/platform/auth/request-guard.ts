import { isSameOrigin } from "@/lib/platform/auth/own-origin";
import { isOwnHost } from "@/lib/platform/auth/own-host";
import { AppError } from "@/lib/platform/errors";

/* Keeps other sites from using this server through somebody's browser (`api.md` 0.6). */

/** @throws AppError 421 for a name that may be somebody else's */
export function requireOwnHost(headers: Headers): void {
  if (!isOwnHost(headers)) throw new AppError("misdirected");
}

/**
 * Throws AppError 403 for a request from a page of another site. Browsers name the origin of a change; programs do not.
 * @param mustSay whether a request without an origin is refused too
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

/** Lets everybody pass, but no page of another site: for signing in and out. Throws AppError 403, 421. */
export function requireVisitor({ method, headers }: Pick<Request, "method" | "headers">): void {
  requireOwnHost(headers);
  if (isWrite(method)) requireOwnOrigin(headers, false);
}

import { AppError } from "@/lib/platform/errors";
import { loadSettings } from "@/lib/platform/settings";
import { areClientHeadersBelieved } from "@/lib/platform/http/read/client-address";
import { isOwnMachine } from "@/lib/platform/settings/address-kinds";

/* Keeps other sites from using this server through a user's browser (`api.md` 0.6). */

/** @throws AppError 421 for a host name that somebody else may own */
export function requireOwnHost(headers: Headers): void {
  if (!isOwnHost(headers)) throw new AppError("misdirected");
}

/** Throws AppError 403 for a page of another site. `mustSay`: also refuses a request without an origin. */
export function requireOwnOrigin(headers: Headers, mustSay: boolean): void {
  const says = headers.has("origin") || headers.has("sec-fetch-site");
  if (says ? isSameOrigin(headers) : !mustSay) return;
  throw new AppError("forbidden", "The request does not come from a page of this server");
}

export function isWrite(method: string): boolean {
  return method !== "GET" && method !== "HEAD";
}

/** Lets everyone pass except pages of other sites: for signing in and out. Throws AppError 403, 421. */
export function requireVisitor({ method, headers }: Pick<Request, "method" | "headers">): void {
  requireOwnHost(headers);
  if (isWrite(method)) requireOwnOrigin(headers, false);
}

/** Whether a request came over TLS, here or at a proxy. The plain port stays open, so the settings alone do not tell. */
export function isSecureRequest(headers: Headers): boolean {
  if (headers.get("x-forwarded-proto") === "https") return true;
  const { protocol, host } = new URL(loadSettings().publicBaseUrl);
  return protocol === "https:" && findHost(headers) === host;
}

export function findRequestOrigin(headers: Headers): string {
  const origin = `${isSecureRequest(headers) ? "https" : "http"}://${findHost(headers) ?? ""}`;
  return URL.canParse(origin) ? new URL(origin).origin : new URL(loadSettings().publicBaseUrl).origin;
}

/** Whether one of our pages sent a request (`api.md` 2.1), by headers that pages cannot set. Without them: no. */
export function isSameOrigin(headers: Headers): boolean {
  if (headers.get("sec-fetch-site") === "same-origin") return true;
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  return [findRequestOrigin(headers), new URL(loadSettings().publicBaseUrl).origin].includes(new URL(origin).origin);
}

/**
 * Whether a request names this server by a name that nobody else can own (`api.md` 0.6): another's name may resolve to
 * 127.0.0.1, which would give their page our origin. Also true without a name. Matters only if `AUTH_TYPE` is unset.
 */
export function isOwnHost(headers: Headers): boolean {
  const { authType, policyServerHost, publicBaseUrl } = loadSettings();
  if (authType !== null) return true;
  const host = findHost(headers);
  if (host === null) return true;
  if (!URL.canParse(`http://${host}`)) return false;
  const { hostname } = new URL(`http://${host}`);
  if (isOwnMachine(hostname)) return true;
  return [policyServerHost.toLowerCase(), bare(new URL(publicBaseUrl).hostname)].includes(bare(hostname));
}

/** Host and port that the client used. Proxy headers count only if the server entry has checked them. */
export function findHost(headers: Headers): string | null {
  const forwarded = areClientHeadersBelieved() ? headers.get("x-forwarded-host") : null;
  return forwarded ?? headers.get("host");
}

function bare(hostname: string): string {
  return hostname.replace(/^\[(.*)\]$/, "$1").toLowerCase();
}

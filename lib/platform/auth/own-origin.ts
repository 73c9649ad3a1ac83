import { findHost } from "@/lib/platform/auth/own-host";
import { loadSettings } from "@/lib/platform/settings";

/** Whether a request came over TLS, here or at a proxy; the plain port stays open, so settings alone do not tell. */
export function isSecureRequest(headers: Headers): boolean {
  if (headers.get("x-forwarded-proto") === "https") return true;
  const { protocol, host } = new URL(loadSettings().publicBaseUrl);
  return protocol === "https:" && findHost(headers) === host;
}

/** Scheme, host and port by which the client addressed this server. */
export function findRequestOrigin(headers: Headers): string {
  const origin = `${isSecureRequest(headers) ? "https" : "http"}://${findHost(headers) ?? ""}`;
  return URL.canParse(origin) ? new URL(origin).origin : new URL(loadSettings().publicBaseUrl).origin;
}

/** Whether a request comes from a page of ours (`api.md` 2.1), by headers that pages cannot set. Silence means no. */
export function isSameOrigin(headers: Headers): boolean {
  if (headers.get("sec-fetch-site") === "same-origin") return true;
  const origin = headers.get("origin");
  if (origin === null || !URL.canParse(origin)) return false;
  return [findRequestOrigin(headers), new URL(loadSettings().publicBaseUrl).origin].includes(new URL(origin).origin);
}

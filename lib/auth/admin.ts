import "server-only";
import { headerEquals } from "@/lib/auth/equal-secrets";
import { isSameOrigin } from "@/lib/auth/own-origin";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { decodeSession } from "@/lib/auth/session-token";
import { AppError } from "@/lib/errors";
import { loadSettings } from "@/lib/settings";

/** What lets a caller pass as an administrator: no password is asked for, the header, or a session. */
type Proof = "open" | "header" | "session";

/**
 * Whether an administrator is calling (`api.md` 0.6, class A): with `AUTH_TYPE=basic` the header `BASIC-AUTH-PASSWORD`
 * must hold the password, or a session cookie must come along; otherwise everyone who can reach the server is one.
 */
export async function isAdmin(headers: Headers): Promise<boolean> {
  return (await findProof(headers)) !== null;
}

/** Whether there is a session to sign out of. */
export async function hasSession(headers: Headers): Promise<boolean> {
  return loadSettings().authType === "basic" && (await decodeSession(readSessionCookie(headers))) !== null;
}

/**
 * Lets administrators pass. Browsers send a cookie along whoever made them send the request, so a session alone permits
 * no change: the request must also show that a page of this server made it.
 *
 * @throws AppError 401; 403 for a change that has a session but no proof of its origin
 */
export async function requireAdmin({ method, headers }: Pick<Request, "method" | "headers">): Promise<void> {
  const proof = await findProof(headers);
  if (proof === null) throw new AppError("unauthorized");
  if (proof === "session" && method !== "GET" && method !== "HEAD") requireSameOrigin(headers);
}

/** @throws AppError 403 unless a page of this server sent the request */
export function requireSameOrigin(headers: Headers): void {
  if (!isSameOrigin(headers)) throw new AppError("forbidden", "The request does not come from a page of this server");
}

async function findProof(headers: Headers): Promise<Proof | null> {
  const { authType, basicAuthPassword } = loadSettings();
  if (authType !== "basic") return "open";
  const isHeaderRight =
    basicAuthPassword !== null && headerEquals(headers.get("basic-auth-password"), basicAuthPassword);
  if (isHeaderRight) return "header";
  return (await decodeSession(readSessionCookie(headers))) === null ? null : "session";
}

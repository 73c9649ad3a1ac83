import "server-only";
import type { JWT } from "next-auth/jwt";
import { requirePasswordHeader } from "@/lib/auth/login";
import { isOwnHost } from "@/lib/auth/own-host";
import { isWrite, requireOwnHost, requireOwnOrigin } from "@/lib/auth/request-guard";
import { readSessionCookie } from "@/lib/auth/session-cookie";
import { decodeSession } from "@/lib/auth/session-token";
import { AppError, isAppError } from "@/lib/errors";
import { loadSettings } from "@/lib/settings";

/** What lets a caller pass as an administrator: no password is asked for, the header, or a session. */
export type Proof = "open" | "header" | "session";

/**
 * Whether an administrator is calling (`api.md` 0.6, class A): with `AUTH_TYPE=basic` the header `BASIC-AUTH-PASSWORD`
 * must hold the password, or a session cookie must come along; otherwise everyone who can reach the server is one.
 */
export async function isAdmin(headers: Headers): Promise<boolean> {
  if (!isOwnHost(headers)) return false;
  try {
    return (await findProof(headers)) !== null;
  } catch (error) {
    if (isAppError(error)) return false;
    throw error;
  }
}

/** The session to sign out of, or null. */
export async function findSession(headers: Headers): Promise<JWT | null> {
  return loadSettings().authType === "basic" ? decodeSession(readSessionCookie(headers)) : null;
}

/**
 * Lets administrators pass and gives what proved them. Browsers send a cookie along, and reach this server at all,
 * whoever made them do so: only the header proves that the caller means what it sends. Every other change must not come
 * from the page of another site, and one that a cookie came along with must show that it comes from a page of ours.
 *
 * @throws AppError 401; 403 for a change from elsewhere; 421 for another name of the server; 429 for a password in the
 * header, right or wrong, after ten wrong ones from its address within a minute
 */
export async function requireAdmin({ method, headers }: Pick<Request, "method" | "headers">): Promise<Proof> {
  requireOwnHost(headers);
  const proof = await findProof(headers);
  if (proof === null) throw new AppError("unauthorized");
  if (proof !== "header" && isWrite(method)) requireOwnOrigin(headers, proof === "session" || headers.has("cookie"));
  return proof;
}

async function findProof(headers: Headers): Promise<Proof | null> {
  if (loadSettings().authType !== "basic") return "open";
  if (requirePasswordHeader(headers)) return "header";
  return (await findSession(headers)) === null ? null : "session";
}

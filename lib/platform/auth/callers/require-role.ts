import "server-only";
import { findPrincipal } from "@/lib/platform/auth/callers/find-principal";
import { requireMayDo } from "@/lib/platform/auth/may";
import type { Principal } from "@/lib/platform/auth/principal";
import { isWrite, requireOwnHost, requireOwnOrigin } from "@/lib/platform/auth/request-guard";
import { AppError } from "@/lib/platform/errors";
import { refuseAmbiguousName } from "@/lib/platform/http/read/read-verified-name";
import type { Need } from "@/lib/labels/roles";

/** What browsers send along whoever made them do so; a password or a token in a header shows that the caller means it. */
const sentByBrowsers: readonly Principal["proof"][] = ["session", "proxy"];

/**
 * Lets callers pass whose role may do what is needed. Browsers send cookies along whoever made them do so: a change
 * must come with a header of the caller's own, or from a page of ours.
 * @param identify is told who it is, even if they are refused
 * @throws AppError 401; 403 naming the needed role (rule P7), or for a change from elsewhere; 400 for a repeated proxy
 * header; 421 for another server name; 429 for a password header after ten wrong ones within a minute
 */
export async function requireRole(
  { method, headers }: Pick<Request, "method" | "headers">,
  need: Need,
  identify: (callerId: string) => void = () => undefined,
): Promise<Principal> {
  requireOwnHost(headers);
  const principal = await findPrincipal(headers);
  if (principal === null) throw new AppError("unauthorized");
  identify(principal.id);
  const isBrowsers = sentByBrowsers.includes(principal.proof);
  if (isWrite(method) && (isBrowsers || principal.proof === "open")) {
    requireOwnOrigin(headers, isBrowsers || headers.has("cookie"));
  }
  refuseAmbiguousName(headers);
  requireMayDo(principal, need);
  return principal;
}

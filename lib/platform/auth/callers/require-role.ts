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
 * Lets those pass whose role may do what is needed, and gives who they are. Browsers send a cookie along, and reach this
 * server at all, whoever made them do so: only a header of the caller's own proves that they mean what they send. Every
 * other change must not come from the page of another site, and one that a cookie came along with must show that it comes
 * from a page of ours.
 *
 * @param identify is told who it is, also where they may not do what is needed
 * @throws AppError 401; 403 naming the role that is needed (rule P7), or for a change from elsewhere; 400 for a proxy's
 *   header that came twice; 421 for another name of the server; 429 for a password in the header, right or wrong, after
 *   ten wrong ones from its address within a minute
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

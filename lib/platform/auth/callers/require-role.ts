import "server-only";
import { findPrincipal } from "@/lib/platform/auth/callers/find-principal";
import { requireMayDo } from "@/lib/platform/auth/may";
import type { Principal } from "@/lib/platform/auth/principal";
import { isWrite, requireOwnHost, requireOwnOrigin } from "@/lib/platform/auth/request-guard";
import { AppError } from "@/lib/platform/errors";
import { refuseAmbiguousName } from "@/lib/platform/http/read/read-verified-name";
import type { Need } from "@/lib/vocabulary/roles";

/** Browsers send these on their own, even for another site. A password or token in a header is always deliberate. */
const sentByBrowsers: readonly Principal["proof"][] = ["session", "proxy"];

/**
 * Requires a role that may do what `need` names. Another site can make a browser send cookies, so a change must carry a
 * header of the caller's own or come from one of our pages. `identify` also gets the id of a refused caller. Throws
 * AppError 401; 403 naming the needed role (rule P7), or for a change from another site; 400 for a repeated proxy
 * header; 421 for another server name; 429 for a password header after ten wrong ones within a minute.
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

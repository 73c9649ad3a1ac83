import "server-only";
import { idAtProxy, type Principal } from "@/lib/platform/auth/principal";
import { areClientHeadersBelieved } from "@/lib/platform/http/read/client-address";
import { readVerifiedName, refuseUnfitName } from "@/lib/platform/http/read/read-verified-name";
import { loadSettings } from "@/lib/platform/settings";
import { roleOfGroups } from "@/lib/vocabulary/roles";

/** Whether a trusted proxy names the caller, even with an unusable name. `proxy.ts` then skips the login page. */
export function comesFromProxy(headers: Headers): boolean {
  const { authUserHeader, authRolesHeader } = loadSettings();
  if (authUserHeader === null || authRolesHeader === null || !areClientHeadersBelieved()) return false;
  return headers.has(authUserHeader) && headers.has(authRolesHeader);
}

/**
 * The user and groups that a trusted proxy sends (`people.md` P6); null: none, or a header is missing or repeated.
 * `prepareForNext` drops these headers from other clients. Throws AppError 401 for a confusable name.
 */
export function findProxyUser(headers: Headers): Principal | null {
  const { authRolesHeader, oidcRoles } = loadSettings();
  if (authRolesHeader === null || oidcRoles === null || !areClientHeadersBelieved()) return null;
  refuseUnfitName(headers);
  const name = readVerifiedName(headers);
  const groups = headers.get(authRolesHeader);
  if (name === null || groups === null || groups.includes(",")) return null;
  return {
    id: idAtProxy(name),
    name,
    isVerified: true,
    proof: "proxy",
    role: roleOfGroups(splitGroups(groups), oidcRoles),
  };
}

export function explainNoProxyRole(headers: Headers): string {
  const name = loadSettings().authRolesHeader ?? "";
  const count = splitGroups(headers.get(name) ?? "").filter((group) => group !== "").length;
  return count === 0
    ? `The header ${name} has no groups`
    : `OIDC_ROLES has none of the groups (${count}) in the header ${name}`;
}

/** Group names may contain spaces: "fans of operators" is one group, and does not match "operators". */
const splitGroups = (groups: string) => groups.split(";").map((group) => group.trim());

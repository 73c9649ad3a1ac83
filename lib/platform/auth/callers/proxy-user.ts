import "server-only";
import { idAtProxy, type Principal } from "@/lib/platform/auth/principal";
import { areClientHeadersBelieved } from "@/lib/platform/http/read/client-address";
import { readVerifiedName, refuseUnfitName } from "@/lib/platform/http/read/read-verified-name";
import { loadSettings } from "@/lib/platform/settings";
import { roleOfGroups } from "@/lib/labels/roles";

/**
 * Whether a trusted proxy in front says who is calling. Whether that can be used is for `findProxyUser` to decide: this is for
 * `proxy.ts`, which must not send people to a sign-in page that they don't need.
 */
export function comesFromProxy(headers: Headers): boolean {
  const { authUserHeader, authRolesHeader } = loadSettings();
  if (authUserHeader === null || authRolesHeader === null || !areClientHeadersBelieved()) return false;
  return headers.has(authUserHeader) && headers.has(authRolesHeader);
}

/**
 * Whom a trusted proxy in front has signed in, with the groups it names (`people.md` P6). What others send under these
 * names has been dropped before (`prepareForNext`).
 *
 * @returns null: roles do not come from a proxy, or it names nobody, or one of the headers more than once
 * @throws AppError 401 for a name that could stand for another one (`refuseUnfitName`)
 */
export function findProxyUser(headers: Headers): Principal | null {
  const { authRolesHeader, oidcRoles } = loadSettings();
  if (authRolesHeader === null || oidcRoles === null || !areClientHeadersBelieved()) return null;
  refuseUnfitName(headers);
  const name = readVerifiedName(headers);
  const groups = headers.get(authRolesHeader);
  if (name === null || groups === null || groups.includes(",")) return null;
  // Names of groups may hold blanks: "fans of operators" is one group, and not that of the operators.
  const role = roleOfGroups(
    groups.split(";").map((group) => group.trim()),
    oidcRoles,
  );
  return { id: idAtProxy(name), name, isVerified: true, proof: "proxy", role };
}

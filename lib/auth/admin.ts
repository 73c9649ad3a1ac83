import "server-only";
import { headerEquals } from "@/lib/auth/equal-secrets";
import { AppError } from "@/lib/errors";
import { loadSettings } from "@/lib/settings";

/**
 * Whether an administrator is calling (`api.md` 0.6, class A): with `AUTH_TYPE=basic` the header `BASIC-AUTH-PASSWORD`
 * must hold the password; otherwise everyone who can reach the server is one.
 */
export function isAdmin(headers: Headers): boolean {
  const { authType, basicAuthPassword } = loadSettings();
  if (authType !== "basic") return true;
  return basicAuthPassword !== null && headerEquals(headers.get("basic-auth-password"), basicAuthPassword);
}

/**
 * Lets administrators pass.
 *
 * @throws AppError 401
 */
export function requireAdmin(headers: Headers): void {
  if (!isAdmin(headers)) throw new AppError("unauthorized");
}

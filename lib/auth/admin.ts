import "server-only";
import { headerEquals } from "@/lib/auth/equal-secrets";
import { AppError } from "@/lib/errors";
import { loadSettings } from "@/lib/settings";

/**
 * Lets administrators pass (`api.md` 0.6, class A): with `AUTH_TYPE=basic` the header `BASIC-AUTH-PASSWORD` must hold
 * the password; otherwise everyone who can reach the server is one.
 *
 * @throws AppError 401
 */
export function requireAdmin(headers: Headers): void {
  const { authType, basicAuthPassword } = loadSettings();
  if (authType !== "basic") return;
  if (basicAuthPassword === null || !headerEquals(headers.get("basic-auth-password"), basicAuthPassword)) {
    throw new AppError("unauthorized");
  }
}

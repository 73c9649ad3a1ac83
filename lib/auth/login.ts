import "server-only";
import { findClientAddress } from "@/lib/auth/client-address";
import { equalSecrets } from "@/lib/auth/equal-secrets";
import { loginThrottle } from "@/lib/auth/login-throttle";
import { recordSignIn } from "@/lib/auth/record-sign-in";
import { buildSessionCookie } from "@/lib/auth/session-cookie";
import { buildSessionClaims, encodeSession, sessionSeconds } from "@/lib/auth/session-token";
import { AppError } from "@/lib/errors";
import { log } from "@/lib/log";
import { loadSettings } from "@/lib/settings";

/**
 * Lets the next password of this client be looked at, or not (`api.md` 2.1).
 *
 * @throws AppError 429 after ten failures from its address within a minute, with the seconds to wait in `Retry-After`
 */
export function requireLoginAttempt(headers: Headers): void {
  const address = findClientAddress(headers);
  if (!loginThrottle().isBlocked(address)) return;
  const seconds = Math.max(1, loginThrottle().secondsUntilFree(address));
  throw new AppError("tooManyRequests", undefined, { headers: { "Retry-After": String(seconds) } });
}

/**
 * Checks the password typed at a login, and counts a wrong one against the client's address. Nothing but a string is
 * ever right.
 *
 * @throws AppError 401; 429 as `requireLoginAttempt`, for a right password, too: guessing must not go on
 */
export function requirePassword(password: unknown, headers: Headers): void {
  requireLoginAttempt(headers);
  const { basicAuthPassword } = loadSettings();
  const address = findClientAddress(headers);
  const isRight = equalSecrets(typeof password === "string" ? password : "", basicAuthPassword ?? "");
  if (isRight && typeof password === "string" && basicAuthPassword !== null) {
    loginThrottle().recordSuccess(address);
    recordSignIn(headers, true);
    return;
  }
  loginThrottle().recordFailure(address);
  log.warn({ address }, "login failed");
  recordSignIn(headers, false);
  throw new AppError("unauthorized");
}

/**
 * Starts a session for whoever knows the password; where none is asked for there is nothing to start.
 *
 * @param responseHeaders get the cookie
 * @throws AppError as `requirePassword`
 */
export async function startSession(password: unknown, headers: Headers, responseHeaders: Headers): Promise<void> {
  if (loadSettings().authType !== "basic") return;
  requirePassword(password, headers);
  const token = await encodeSession(buildSessionClaims());
  responseHeaders.append("Set-Cookie", buildSessionCookie(headers, token, sessionSeconds));
}

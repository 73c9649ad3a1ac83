import "server-only";
import { findClientAddress } from "@/lib/platform/http/read/client-address";
import { equalSecrets, headerEquals } from "@/lib/platform/auth/equal-secrets";
import { loginThrottle } from "@/lib/platform/auth/login-throttle";
import { noteBreakGlass, noteFailure, recordSignIn } from "@/lib/platform/auth/record-sign-in";
import { buildSessionCookie } from "@/lib/platform/auth/session-cookie";
import { buildSessionClaims, encodeSession, findSealSeconds } from "@/lib/platform/auth/session-token";
import { AppError } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";
import { requiresSignIn } from "@/lib/platform/settings/kinds";

/** Throws AppError 429 with `Retry-After` after ten failures from this address within a minute (`api.md` 2.1). */
export function requireLoginAttempt(headers: Headers): void {
  const address = findClientAddress(headers);
  if (!loginThrottle().isBlocked(address)) return;
  const seconds = Math.max(1, loginThrottle().secondsUntilFree(address));
  throw new AppError("tooManyRequests", undefined, { headers: { "Retry-After": String(seconds) } });
}

/** Checks a password. Throws AppError 401, or 429 even for the right password: guessing must not pay off. */
export async function requirePassword(password: unknown, headers: Headers): Promise<void> {
  requireLoginAttempt(headers);
  const { basicAuthPassword } = loadSettings();
  const address = findClientAddress(headers);
  const isRight = equalSecrets(typeof password === "string" ? password : "", basicAuthPassword ?? "");
  if (isRight && typeof password === "string" && basicAuthPassword !== null) {
    loginThrottle().recordSuccess(address);
    await recordSignIn(headers, "login.succeed");
    return;
  }
  recordFailure(headers, "login failed", "password");
  throw new AppError("unauthorized");
}

/** Checks the header `BASIC-AUTH-PASSWORD` (`api.md` 0.6). A wrong one is a failed login; a right one resets nothing. */
export async function requirePasswordHeader(headers: Headers): Promise<boolean> {
  const value = headers.get("basic-auth-password");
  if (value === null) return false;
  requireLoginAttempt(headers);
  const { basicAuthPassword } = loadSettings();
  if (basicAuthPassword !== null && headerEquals(value, basicAuthPassword)) {
    await noteBreakGlass(headers);
    return true;
  }
  recordFailure(headers, "wrong password in a header", "header");
  return false;
}

function recordFailure(headers: Headers, message: string, proof: "password" | "header"): void {
  const address = findClientAddress(headers);
  loginThrottle().recordFailure(address);
  noteFailure(headers, proof);
  log.warn({ address }, message);
}

export async function startSession(password: unknown, headers: Headers, responseHeaders: Headers): Promise<void> {
  if (!requiresSignIn(loadSettings().authType)) return;
  await requirePassword(password, headers);
  await noteBreakGlass(headers);
  const claims = buildSessionClaims();
  const token = await encodeSession(claims);
  responseHeaders.append("Set-Cookie", buildSessionCookie(headers, token, findSealSeconds(claims)));
}

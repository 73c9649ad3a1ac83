import "server-only";
import { requireRole } from "@/lib/platform/auth/callers/require-role";
import { findClientAddress } from "@/lib/platform/http/read/client-address";
import { LoginThrottle } from "@/lib/platform/auth/login-throttle";
import { AppError } from "@/lib/platform/errors";
import { loadSettings } from "@/lib/platform/settings";

const createCounter = () => new LoginThrottle({ maxFailures: 300, windowMs: 60_000, maxAddresses: 2_000 });
let counter = createCounter();

/**
 * `APP_CERTIFICATE_GET` (`api.md` 6.1). Throws AppError 403 if containers are not available, 401 if only administrators
 * get them, 429 for an address with 300 requests within a minute.
 */
export async function requireContainerAccess(request: Request): Promise<void> {
  const { appCertificateGet: access } = loadSettings();
  if (access === "off") throw new AppError("forbidden", "This server does not provide app certificates");
  if (access === "admin") await requireRole(request, "administer");
  const address = findClientAddress(request.headers);
  if (counter.isBlocked(address)) {
    const headers = { "Retry-After": String(Math.max(1, counter.secondsUntilFree(address))) };
    throw new AppError("tooManyRequests", "Too many requests for certificates", { headers });
  }
  counter.recordFailure(address);
}

export function forgetContainerRequests(): void {
  counter = createCounter();
}

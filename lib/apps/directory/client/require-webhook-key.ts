import "server-only";
import { headerEquals } from "@/lib/platform/auth/equal-secrets";
import { directoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { AppError } from "@/lib/platform/errors";
import { loadSettings } from "@/lib/platform/settings";

/**
 * Throws AppError 401 unless the header `public_key` contains the app directory's key (`api.md` 0.6, class W). Without an
 * app directory, all requests are refused.
 */
export function requireWebhookKey(headers: Headers): void {
  const endpoint = directoryEndpoint(loadSettings());
  if (endpoint === null || !headerEquals(headers.get("public_key"), endpoint.publicKey)) {
    throw new AppError("unauthorized", "Webhook key missing or wrong");
  }
}

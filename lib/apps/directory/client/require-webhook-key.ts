import "server-only";
import { headerEquals } from "@/lib/platform/auth/equal-secrets";
import { directoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { AppError } from "@/lib/platform/errors";
import { loadSettings } from "@/lib/platform/settings";

/**
 * Throws AppError 401 unless `public_key` holds the directory's key (`api.md` 0.6, class W). Without a directory nobody
 * passes.
 */
export function requireWebhookKey(headers: Headers): void {
  const endpoint = directoryEndpoint(loadSettings());
  if (endpoint === null || !headerEquals(headers.get("public_key"), endpoint.publicKey)) {
    throw new AppError("unauthorized", "Webhook key missing or wrong");
  }
}

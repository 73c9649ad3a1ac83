import "server-only";
import { headerEquals } from "@/lib/platform/auth/equal-secrets";
import { directoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { AppError } from "@/lib/platform/errors";
import { loadSettings } from "@/lib/platform/settings";

/**
 * Lets the app directory pass (`api.md` 0.6, class W): the header `public_key` must hold the directory's public key,
 * the example directory's as well. Without a directory nobody passes.
 *
 * @throws AppError 401
 */
export function requireWebhookKey(headers: Headers): void {
  const endpoint = directoryEndpoint(loadSettings());
  if (endpoint === null || !headerEquals(headers.get("public_key"), endpoint.publicKey)) {
    throw new AppError("unauthorized", "Webhook key missing or wrong");
  }
}

import "server-only";
import { headerEquals } from "@/lib/auth/equal-secrets";
import { AppError } from "@/lib/errors";
import { loadSettings } from "@/lib/settings";

/**
 * Lets the app directory pass (`api.md` 0.6, class W): the header `public_key` must hold the directory's public key.
 * Without a configured key nobody passes.
 *
 * @throws AppError 401
 */
export function requireWebhookKey(headers: Headers): void {
  const { shaidPublicKey } = loadSettings();
  if (shaidPublicKey === null || !headerEquals(headers.get("public_key"), shaidPublicKey)) {
    throw new AppError("unauthorized", "Webhook key missing or wrong");
  }
}

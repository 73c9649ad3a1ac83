import "server-only";
import { headerEquals } from "@/lib/platform/auth/equal-secrets";
import { directoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { noteCaller } from "@/lib/platform/http/headers/caller";
import { AppError } from "@/lib/platform/errors";
import { loadSettings } from "@/lib/platform/settings";

/** Throws AppError 401 for a wrong `public_key`, or without an app directory (`api.md` 0.6, class W). */
export function requireWebhookKey(headers: Headers): void {
  const endpoint = directoryEndpoint(loadSettings());
  const isRight = endpoint !== null && headerEquals(headers.get("public_key"), endpoint.publicKey);
  noteCaller(isRight);
  if (!isRight) throw new AppError("unauthorized", "Webhook key missing or wrong");
}

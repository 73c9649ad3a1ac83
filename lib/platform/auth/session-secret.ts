import { loadSettings, type Settings } from "@/lib/platform/settings";
import { loadOwnSecret } from "@/lib/platform/secrets/own-secret";

/** The secret that seals session cookies (`settings.md` section 5): `SESSION_SECRET`, or a generated one. */
export function loadSessionSecret(
  { sessionSecret, dataDir }: Pick<Settings, "sessionSecret" | "dataDir"> = loadSettings(),
): string {
  return sessionSecret ?? loadOwnSecret("session-secret", dataDir, "delete it; everybody then signs in again");
}

import "server-only";
import { endedSessions } from "@/lib/auth/ended-sessions";
import { accessTokens } from "@/lib/auth/tokens/access-tokens";
import { refreshDueRoles } from "@/lib/auth/people/refresh-roles";
import { signIns } from "@/lib/auth/people/sign-ins";
import { lookEverySecond } from "@/lib/process/look-every-second";
import { loadSettings } from "@/lib/settings";

/**
 * Looks every second for sessions that were signed out of and tokens that were revoked on other instances, so that they
 * are refused here within 2 s (`people.md` P11), and takes roles again from the identity provider (P4). The first look is awaited.
 *
 * @returns ends it
 * @throws DatabaseUnavailable from the first look
 */
export function watchAccess(): Promise<() => void> {
  let refreshing: Promise<void> | null = null;
  return lookEverySecond(async () => {
    await endedSessions().refresh();
    await accessTokens().refresh();
    if (loadSettings().authType !== "oidc") return;
    await signIns().refresh();
    // The provider may take its time, and no look waits for it.
    refreshing ??= refreshDueRoles().finally(() => {
      refreshing = null;
    });
  });
}

import "server-only";
import { recordWaiting } from "@/lib/platform/audit/commands";
import { recordFailures } from "@/lib/platform/auth/failed-sign-ins";
import { endedSessions } from "@/lib/platform/auth/ended-sessions";
import { accessTokens } from "@/lib/platform/auth/tokens/access-tokens";
import { refreshDueRoles } from "@/lib/platform/auth/people/refresh-roles";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { lookEverySecond } from "@/lib/platform/process/look-every-second";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";

/**
 * Looks every second for sessions that were signed out of and tokens that were revoked on other instances, so that they
 * are refused here within 2 s (`people.md` P11), records events that wait (`gate.md` W12), and takes roles again from the
 * identity provider (P4). The first look is awaited.
 *
 * @returns ends it, and records the failures whose minute is not over
 * @throws DatabaseUnavailable from the first look
 */
export async function watchAccess(): Promise<() => Promise<void>> {
  let refreshing: Promise<void> | null = null;
  const end = await lookEverySecond(async () => {
    await endedSessions().refresh();
    await accessTokens().refresh();
    await recordWaiting();
    await recordFailures();
    if (loadSettings().authType !== "oidc") return;
    await signIns().refresh();
    // The provider may take its time, and no look waits for it.
    refreshing ??= refreshDueRoles().finally(() => {
      refreshing = null;
    });
  });
  return async () => {
    end();
    await recordFailures(Infinity).catch((error: unknown) =>
      log.warn({ err: error }, "failed sign-ins are not recorded"),
    );
  };
}

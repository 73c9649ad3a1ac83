import "server-only";
import { endedSessions } from "@/lib/auth/ended-sessions";
import { accessTokens } from "@/lib/auth/tokens/access-tokens";
import { lookEverySecond } from "@/lib/process/look-every-second";

/**
 * Looks every second for sessions that were signed out of and tokens that were revoked on other instances, so that they
 * are refused here within 2 s (`people.md` P11). The first look is awaited.
 *
 * @returns ends it
 * @throws DatabaseUnavailable from the first look
 */
export function watchAccess(): Promise<() => void> {
  return lookEverySecond(async () => {
    await endedSessions().refresh();
    await accessTokens().refresh();
  });
}

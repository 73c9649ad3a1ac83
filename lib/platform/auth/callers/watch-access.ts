import "server-only";
import { recordWaiting } from "@/lib/platform/audit/commands";
import { recordFailures } from "@/lib/platform/auth/record-sign-in";
import { endedSessions } from "@/lib/platform/auth/ended-sessions";
import { accessTokens } from "@/lib/platform/auth/tokens/access-tokens";
import { refreshDueRoles } from "@/lib/platform/auth/people/refresh-roles";
import { signIns } from "@/lib/platform/auth/people/sign-ins";
import { log } from "@/lib/platform/log";
import { loadSettings } from "@/lib/platform/settings";

/** Every second: applies sign-outs of other instances (`people.md` P11), records waiting events (W12), renews roles (P4). */
export async function watchAccess(): Promise<() => Promise<void>> {
  let refreshing: Promise<void> | null = null;
  const end = await lookEverySecond(async () => {
    await endedSessions().refresh();
    await accessTokens().refresh();
    await recordWaiting();
    await recordFailures();
    if (loadSettings().authType !== "oidc") return;
    await signIns().refresh();
    // The provider may be slow, so the other work does not wait for it.
    refreshing ??= refreshDueRoles().finally(() => {
      refreshing = null;
    });
  });
  return async () => {
    end();
    await recordFailures(Infinity).catch((error: unknown) =>
      log.warn({ err: error }, "could not record failed sign-ins"),
    );
  };
}

const checkEveryMs = 1_000;

async function lookEverySecond(look: () => Promise<void>): Promise<() => void> {
  await look();
  let isLooking = false;
  const timer = setInterval(() => {
    if (isLooking) return;
    isLooking = true;
    void look()
      .catch(() => undefined)
      .finally(() => {
        isLooking = false;
      });
  }, checkEveryMs);
  timer.unref();
  return () => {
    clearInterval(timer);
  };
}

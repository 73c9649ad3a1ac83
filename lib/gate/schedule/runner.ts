import "server-only";
import { log } from "@/lib/platform/log";
import { findMailRoute } from "@/lib/platform/mail/mail-route";
import { buildStoppedMessage } from "@/lib/platform/mail/rules";
import { sendMail } from "@/lib/platform/mail/send-mail";
import { publishDue, type StoppedRelease } from "@/lib/gate/schedule/publish-due";
import type { Settings } from "@/lib/platform/settings";

/** How often to look for what is due, in milliseconds; the database answers from an index. */
const lookEveryMs = 5_000;
/** A message that is not sent within this time is given up. */
const mailDeadlineMs = 30_000;

/**
 * Publishes scheduled releases when they are due (`releases.md` L11); every instance looks, one publishes.
 *
 * @returns ends it, after what is under way
 */
export function startScheduledReleases(settings: Settings, everyMs = lookEveryMs): () => Promise<void> {
  let working: Promise<void> | null = null;
  let telling = Promise.resolve();
  const look = () => {
    working ??= publishQuietly()
      .then((stopped) => {
        // A mail server that does not answer must not hold up what is due next.
        for (const one of stopped) telling = telling.then(() => tell(one, settings));
      })
      .finally(() => {
        working = null;
      });
  };
  const timer = setInterval(look, everyMs).unref();
  look();
  return async () => {
    clearInterval(timer);
    await working;
    await telling;
  };
}

async function publishQuietly(): Promise<readonly StoppedRelease[]> {
  try {
    return await publishDue(new Date());
  } catch (error) {
    log.error({ err: error }, "scheduled releases could not be looked after; they are tried again");
    return [];
  }
}

/** A mail that does not get through is only a hint lost: the page of the releases says it. */
async function tell(stopped: StoppedRelease, settings: Settings): Promise<void> {
  log.warn({ scheduled: stopped.id, reason: stopped.reason }, "a scheduled release was stopped");
  const route = findMailRoute(settings);
  if (route === null) return;
  try {
    const message = buildStoppedMessage(stopped, settings.publicBaseUrl);
    await sendMail(route, message, AbortSignal.timeout(mailDeadlineMs));
  } catch (error) {
    log.error({ err: error, scheduled: stopped.id }, "mail about a stopped release could not be sent");
  }
}

import "server-only";
import { startPollLoop } from "@/lib/jobs/poll-loop";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { requireExpectedDatabase } from "@/lib/platform/db/connection/unexpected-database";
import { type Clock, realClock } from "@/lib/platform/db/clock";
import { log } from "@/lib/platform/log";
import { buildNotice } from "@/lib/platform/mail/rules";
import { findMailRoute, sendMail } from "@/lib/platform/mail/send-mail";
import type { Settings } from "@/lib/platform/settings";
import { advanceDue, brakeIfNeeded } from "@/lib/releases/rollout/watch-rollout";
import { type RolloutAct, rolloutActs } from "@/lib/vocabulary/rollouts";
import { RolloutModel, type RolloutRecord } from "@/models/rollout";

/** How often to look for what is due, in milliseconds. The query uses an index. */
const checkEveryMs = 5_000;
const brakeEveryMs = 60_000;
const mailDeadlineMs = 30_000;

/** Takes steps, brakes and mails what has happened. On every instance. Returns a function that stops this. */
export function startRollouts(settings: Settings, everyMs = checkEveryMs): () => Promise<void> {
  const steady = new SteadyClock(realClock);
  let brakedAt = -Infinity;
  let telling = Promise.resolve();
  const loop = startPollLoop("rollouts", everyMs, async () => {
    const now = steady.now();
    if (now !== null) {
      await advanceDue(new Date(now));
      if (realClock.elapsed() - brakedAt >= brakeEveryMs) {
        brakedAt = realClock.elapsed();
        await brakeIfNeeded(new Date(now));
      }
    }
    // A mail server that does not respond must not delay the brake.
    for (const one of await takeNews()) telling = telling.then(() => tell(one, settings));
    return false;
  });
  return async () => {
    await loop.stop();
    await telling;
  };
}

/** By how much the time may differ from what has passed, and for how long it is not believed afterwards. */
const toleranceMs = 60_000;
const distrustMs = 600_000;

/** The time, while it passes as it should: a clock that jumps must not end a step. */
export class SteadyClock {
  readonly #clock: Clock;
  #last: { readonly now: number; readonly elapsed: number } | null = null;
  #distrustedUntil = -Infinity;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Milliseconds since 1970; null: it has just jumped. */
  now(): number | null {
    const [now, elapsed] = [this.#clock.now(), this.#clock.elapsed()];
    const last = this.#last;
    this.#last = { now, elapsed };
    const drift = last === null ? 0 : now - last.now - (elapsed - last.elapsed);
    if (Math.abs(drift) > toleranceMs) this.#distrustedUntil = elapsed + distrustMs;
    return elapsed < this.#distrustedUntil ? null : now;
  }
}

interface News {
  readonly release: number;
  readonly act: RolloutAct;
  readonly percent: number;
  readonly by: string | null;
  readonly because: string | null;
}

/** What has happened to the newest rollout and nobody was told; by exactly one instance. Throws DatabaseUnavailable. */
export async function takeNews(): Promise<readonly News[]> {
  const [newest] = await inDatabase(() => RolloutModel.find({}).sort({ _id: -1 }).limit(1).lean());
  if (newest === undefined || newest.history.length <= newest.told) return [];
  requireExpectedDatabase();
  const { _id, told } = newest;
  const taken = await inDatabase(() =>
    RolloutModel.updateOne({ _id, told }, { $set: { told: newest.history.length } }),
  );
  return taken.modifiedCount === 1 ? listNews(newest) : [];
}

function listNews({ release, history, told }: RolloutRecord): News[] {
  return Array.from(history)
    .slice(told)
    .flatMap(({ act: name, percent, by, because }) => {
      const act = rolloutActs.find((one) => one === name);
      return act === undefined
        ? []
        : [{ release, act, percent, by: by?.displayName ?? by?.actor ?? null, because: because ?? null }];
    });
}

const subjects: Readonly<Record<RolloutAct, (news: News) => string>> = {
  start: ({ release, percent }) => `Release ${release} goes to ${percent} % of the cars first`,
  step: ({ release, percent }) => `Release ${release} goes to ${percent} % of the cars`,
  pause: ({ release }) => `The rollout of release ${release} was paused`,
  brake: ({ release }) => `The rollout of release ${release} was stopped by the server`,
  resume: ({ release }) => `The rollout of release ${release} was resumed`,
  finish: ({ release }) => `Release ${release} goes to all cars`,
  cancel: ({ release }) => `The rollout of release ${release} was called off`,
};

/** A lost mail does no harm: the console shows the rollout. */
async function tell(news: News, settings: Settings): Promise<void> {
  const { act, release, by, because } = news;
  if (act === "brake") log.warn({ release, because }, "a rollout was stopped");
  const route = findMailRoute(settings);
  if (route === null) return;
  try {
    const sentence = because ?? (by === null ? "The time of the step before is over." : `By ${by}.`);
    const message = buildNotice(subjects[act](news), sentence, `${settings.publicBaseUrl}/releases/${release}`);
    await sendMail(route, message, AbortSignal.timeout(mailDeadlineMs));
  } catch (error) {
    log.error({ err: error, release }, "mail about a rollout could not be sent");
  }
}

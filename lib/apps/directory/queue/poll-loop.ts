import { isUnavailable } from "@/lib/platform/db/connection/errors";
import { log } from "@/lib/platform/log";
import { Bell, pause } from "@/lib/platform/async";

export interface PollLoop {
  /** Triggers the next poll at once. */
  wake(): void;
  /** Stops polling; resolves when the current poll has ended. */
  stop(): Promise<void>;
}

/**
 * Polls at once, then every `pollMs` milliseconds and whenever woken. A failed poll is repeated like any other; while the
 * database is unreachable it logs that once.
 *
 * @param name what polls, for the log
 * @param look returns whether there may be more to do now
 */
export function startPollLoop(name: string, pollMs: number, look: () => Promise<boolean>): PollLoop {
  const stopping = new AbortController();
  const bell = new Bell();
  let isAway = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Read before the poll, so that a call during it is not missed.
      const woken = bell.next;
      if (await lookOnce()) continue;
      await pause(pollMs, [woken, stopping.signal]);
    }
  }

  async function lookOnce(): Promise<boolean> {
    try {
      const hasMore = await look();
      isAway = false;
      return hasMore;
    } catch (error) {
      if (!isUnavailable(error)) log.error({ worker: name, err: error }, "checking for directory work failed");
      else if (!isAway) log.warn({ worker: name }, "directory work waits for the database");
      isAway = isUnavailable(error);
      return false;
    }
  }

  const running = run();
  return {
    wake: () => bell.ring(),
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

import { isUnavailable } from "@/lib/platform/db/connection/errors";
import { log } from "@/lib/platform/log";
import { Bell, pause } from "@/lib/platform/async";

export interface PollLoop {
  /** Has the next look made at once. */
  wake(): void;
  /** Ends looking; resolves when the look under way has ended. */
  stop(): Promise<void>;
}

/**
 * Looks for work at once, then every `pollMs` milliseconds and whenever it is woken. A look that fails is made again
 * like any other; while the database is away it says so once.
 *
 * @param name what looks, for the log
 * @param look says whether there may be more to do now
 */
export function startPollLoop(name: string, pollMs: number, look: () => Promise<boolean>): PollLoop {
  const stopping = new AbortController();
  const bell = new Bell();
  let isAway = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Taken before the look, so that a call during it is not missed.
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

import { isUnavailable } from "@/lib/platform/db/connection/errors";
import { log } from "@/lib/platform/log";
import { Signal, pause } from "@/lib/platform/async";

export interface PollLoop {
  wake(): void;
  stop(): Promise<void>;
}

/** `look` returns whether there may be more to do now. A failed poll is repeated like any other. */
export function startPollLoop(name: string, pollMs: number, look: () => Promise<boolean>): PollLoop {
  const stopping = new AbortController();
  const signal = new Signal();
  let isAway = false;

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      // Read before the poll, so that a call during it is not missed.
      const woken = signal.next;
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
    wake: () => signal.give(),
    stop: () => {
      stopping.abort();
      return running;
    },
  };
}

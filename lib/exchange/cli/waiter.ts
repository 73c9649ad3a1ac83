import { setTimeout as sleep } from "node:timers/promises";
import type { Waiter } from "@/lib/exchange/cli/verifying";

const signals = ["SIGINT", "SIGTERM"] as const;

/** What gets signals. */
type Signalled = Pick<NodeJS.Process, "on" | "off">;

/** From now on a signal ends the waiting, and not the process: what is under way is finished. */
export function createWaiter(source: Signalled = process): Waiter {
  const told = new AbortController();
  const end = () => told.abort();
  for (const signal of signals) source.on(signal, end);
  return {
    wait: (ms) => sleep(ms, true, { signal: told.signal }).catch(() => false),
    stop: () => {
      for (const signal of signals) source.off(signal, end);
    },
  };
}

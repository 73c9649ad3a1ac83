import { performance } from "node:perf_hooks";
import { setTimeout as wait } from "node:timers/promises";

/** Share of its time that the event loop may be at work before others count as kept waiting. */
const busyFrom = 0.8;
/** How much longer than it worked the task then waits: vehicles go first, and what arrives can take its time. */
const patience = 5;

/**
 * Makes a long task leave room for vehicles. The returned function ends a stretch of work: when the event loop had
 * hardly a free moment during it, somebody else is at work too, and it waits for five times as long as the stretch took,
 * in which the others have the process to themselves. On an idle server it costs nothing.
 */
export function createBreather(): () => Promise<void> {
  let since = performance.now();
  let before = performance.eventLoopUtilization();
  return async () => {
    const { utilization } = performance.eventLoopUtilization(before);
    const pressure = Math.max(0, utilization - busyFrom) / (1 - busyFrom);
    const ms = (performance.now() - since) * pressure * patience;
    if (ms >= 1) await wait(ms);
    since = performance.now();
    before = performance.eventLoopUtilization();
  };
}

const minute = 60_000;

/** Milliseconds to the next attempt after the first, second, … failure; the last one for ever (rule Q2). */
export const retryDelays: readonly number[] = [5 * minute, 25 * minute, 125 * minute, 240 * minute];

/** The pause after this many failures; before the first failure it is that of the first. */
export function retryDelay(attempts: number, delays: readonly number[] = retryDelays): number {
  const index = Math.min(Math.max(attempts, 1), delays.length) - 1;
  return delays[index] ?? 0;
}

/** No element waits longer than this for its next attempt, nor is in hand for longer; milliseconds. */
const longestWaitMs = 6 * 3_600_000;

/** What may be taken from a queue, as conditions to be tried one after the other: a union would use no index. */
export function dueConditions(now: Date) {
  return [
    { dueAt: { $lte: now } },
    // Dated by a clock that ran ahead: it would wait until real time has caught up.
    { dueAt: { $gt: new Date(now.getTime() + longestWaitMs) } },
  ] as const;
}

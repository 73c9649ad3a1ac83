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

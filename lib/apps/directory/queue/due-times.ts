import { randomUUID } from "node:crypto";

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
const longestReason = 1_000;

/** The time after so many milliseconds. */
export const later = (ms: number) => new Date(Date.now() + ms);
/** Why an attempt failed, as it is kept. */
export const cutReason = (reason: string | null) => reason?.slice(0, longestReason) ?? null;

type IsDue = { readonly dueAt: { readonly $lte: Date } | { readonly $gt: Date } };
type Ids = { readonly $in: string[] };

/** What claiming needs of a queue. */
interface Claiming {
  /** Finds elements, the longest due first. */
  readonly find: (isDue: IsDue) => Promise<readonly { readonly _id: string }[]>;
  /** Changes those that are still due. */
  readonly take: (due: IsDue & { readonly _id: Ids }, set: { claim: string; dueAt: Date }) => Promise<unknown>;
}

/**
 * Takes elements of a queue in hand that are due now.
 *
 * @param leaseMs how long nobody else takes them
 * @returns what finds them, which may be none when another process was faster; null when nothing is due
 */
export async function claimDue({ find, take }: Claiming, leaseMs: number) {
  const now = new Date();
  const conditions: readonly IsDue[] = [
    { dueAt: { $lte: now } },
    // Dated by a clock that ran ahead: it would wait until real time has caught up.
    { dueAt: { $gt: new Date(now.getTime() + longestWaitMs) } },
  ];
  // One after the other: a union would use no index.
  for (const isDue of conditions) {
    const due = await find(isDue);
    if (due.length === 0) continue;
    const claim = randomUUID();
    const _id = { $in: due.map((element) => element._id) };
    // Another process may have found the same ones: whoever changes the due time first has them.
    await take({ _id, ...isDue }, { claim, dueAt: later(leaseMs) });
    return { _id, claim };
  }
  return null;
}

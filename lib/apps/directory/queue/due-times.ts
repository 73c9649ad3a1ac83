import { randomUUID } from "node:crypto";

const minute = 60_000;

/** Milliseconds to the next attempt after the first, second, … failure; the last value repeats (rule Q2). */
export const retryDelays: readonly number[] = [5 * minute, 25 * minute, 125 * minute, 240 * minute];

export function retryDelay(attempts: number, delays: readonly number[] = retryDelays): number {
  const index = Math.min(Math.max(attempts, 1), delays.length) - 1;
  return delays[index] ?? 0;
}

/** Maximum time that an element waits for its next attempt or stays claimed, in milliseconds. */
const longestWaitMs = 6 * 3_600_000;
const longestReason = 1_000;

export const later = (ms: number) => new Date(Date.now() + ms);
export const cutReason = (reason: string | null) => reason?.slice(0, longestReason) ?? null;

type IsDue = { readonly dueAt: { readonly $lte: Date } | { readonly $gt: Date } };
type Ids = { readonly $in: string[] };

interface Claiming {
  readonly find: (isDue: IsDue) => Promise<readonly { readonly _id: string }[]>;
  readonly take: (due: IsDue & { readonly _id: Ids }, set: { claim: string; dueAt: Date }) => Promise<unknown>;
}

/** Returns a filter for the claimed elements: it finds none if another process was faster. Null: nothing is due. */
export async function claimDue({ find, take }: Claiming, leaseMs: number) {
  const now = new Date();
  const conditions: readonly IsDue[] = [
    { dueAt: { $lte: now } },
    // Dated by a clock that was ahead: they would wait until real time catches up.
    { dueAt: { $gt: new Date(now.getTime() + longestWaitMs) } },
  ];
  // One query after the other, because an `$or` would not use the index.
  for (const isDue of conditions) {
    const due = await find(isDue);
    if (due.length === 0) continue;
    const claim = randomUUID();
    const _id = { $in: due.map((element) => element._id) };
    // Another process may have found the same ones; the first to change the due time gets them.
    await take({ _id, ...isDue }, { claim, dueAt: later(leaseMs) });
    return { _id, claim };
  }
  return null;
}

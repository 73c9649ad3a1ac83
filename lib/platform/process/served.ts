"one per process";

import { onMain } from "@/lib/platform/process/channel";

interface Served {
  revision: number | null;
  wanted: { readonly revision: number; readonly until: number } | null;
  readonly waiting: Set<() => void>;
}

const state: Served = { revision: null, wanted: null, waiting: new Set() };

export function followServed(on: typeof onMain = onMain): () => void {
  const forget = on("served", ({ revision }) => {
    state.revision = revision;
    for (const look of state.waiting) look();
  });
  return () => {
    forget();
    state.revision = null;
    state.wanted = null;
    for (const look of state.waiting) look();
  };
}

/** The lowest revision that vehicle API workers answer from; null: there are none. */
export function servedRevision(): number | null {
  return state.revision;
}

/** Whether every worker serves this revision in time. Callers share one timeout: a stuck worker delays only once. */
export async function whenServed(revision: number, timeoutMs: number): Promise<boolean> {
  const isServed = () => state.revision === null || state.revision >= revision;
  if (isServed()) return true;
  if (state.wanted === null || state.wanted.revision < revision)
    state.wanted = { revision, until: performance.now() + timeoutMs };
  const left = Math.min(timeoutMs, state.wanted.until - performance.now());
  if (left <= 0) return false;
  return new Promise((resolve) => {
    const finish = (isReached: boolean) => {
      clearTimeout(late);
      state.waiting.delete(look);
      resolve(isReached);
    };
    const look = () => {
      if (isServed()) finish(true);
    };
    const late = setTimeout(finish, left, false);
    state.waiting.add(look);
  });
}

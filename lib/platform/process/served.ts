import { processGlobal } from "@/lib/platform/process-globals";
import { onMain } from "@/lib/platform/process/channel";

interface Served {
  revision: number | null;
  /** The newest revision that somebody waited for, and until when, as `performance.now()` tells it. */
  wanted: { readonly revision: number; readonly until: number } | null;
  readonly waiting: Set<() => void>;
}

const state = processGlobal<Served>("served", () => ({ revision: null, wanted: null, waiting: new Set() }));

/** Has the console learn which revision all workers serve. Returns what ends it. */
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

/** The revision that every vehicle worker answers vehicles from or has gone beyond; null where there are no vehicle workers. */
export function servedRevision(): number | null {
  return state.revision;
}

/**
 * Waits until every worker serves this revision or a later one; gives whether they do. A worker that stays behind is
 * waited for once: who asks later for the same revision shares the first one's time.
 */
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

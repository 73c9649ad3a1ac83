import { Bell, pause } from "@/lib/platform/async";
import { processGlobal } from "@/lib/platform/process-globals";
import { onMain } from "@/lib/platform/process/channel";

interface Served {
  /** The revision that every vehicle worker answers from or has gone beyond; null without vehicle workers. */
  revision: number | null;
  /** The newest revision that somebody waited for, and until when, as `performance.now()` tells it. */
  wanted: { readonly revision: number; readonly until: number } | null;
  readonly told: Bell;
}

const state = processGlobal<Served>("served", () => ({ revision: null, wanted: null, told: new Bell() }));

/** Has the console learn which revision all workers serve. Returns what ends it. */
export function followServed(on: typeof onMain = onMain): () => void {
  const forget = on("served", ({ revision }) => {
    state.revision = revision;
    state.told.ring();
  });
  return () => {
    forget();
    state.revision = null;
    state.wanted = null;
    state.told.ring();
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
  const until = Math.min(performance.now() + timeoutMs, state.wanted.until);
  while (!isServed()) {
    const left = until - performance.now();
    if (left <= 0) return false;
    await pause(left, [state.told.next]);
  }
  return true;
}

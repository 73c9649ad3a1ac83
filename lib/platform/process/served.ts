import { sharedState } from "@/lib/platform/process-globals";
import { onMain } from "@/lib/platform/process/channel";

/** What main has said about the lanes (`processes.md` N5); the server entry and the bundles of Next share it. */
interface Served {
  /** The revision that every lane answers from or has gone beyond; null without lanes. */
  revision: number | null;
  /** The newest revision that somebody waited for, and until when, as `performance.now()` tells it. */
  wanted: { readonly revision: number; readonly until: number } | null;
  readonly waiting: Set<() => void>;
}

const state = sharedState<Served>("served", () => ({ revision: null, wanted: null, waiting: new Set() }));

/**
 * Has the console learn from main which revision all lanes serve. Where nobody calls it, there are no lanes to wait for.
 *
 * @returns ends it
 */
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

/** The revision that every lane answers vehicles from or has gone beyond; null where there are no lanes. */
export function servedRevision(): number | null {
  return state.revision;
}

/**
 * Waits until every lane answers from a revision or a later one; not where there are no lanes. A lane that stays behind is
 * waited for once: who asks for the same revision later shares the time of the first.
 *
 * @param patienceMs waits no longer than this, in milliseconds
 * @returns whether they do
 */
export async function whenServed(revision: number, patienceMs: number): Promise<boolean> {
  const isServed = () => state.revision === null || state.revision >= revision;
  if (isServed()) return true;
  if (state.wanted === null || state.wanted.revision < revision)
    state.wanted = { revision, until: performance.now() + patienceMs };
  const left = Math.min(patienceMs, state.wanted.until - performance.now());
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

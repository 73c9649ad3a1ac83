"one per process";

import { onMain } from "@/lib/platform/process/channel";

interface Served {
  revision: number | null;
  wanted: { readonly revision: number; readonly until: number } | null;
  readonly waiting: Set<() => void>;
  /** Changes that some worker does not serve yet, and when this process learned of them. */
  readonly committed: Map<number, number>;
}

const state: Served = { revision: null, wanted: null, waiting: new Set(), committed: new Map() };

/** Changes that are measured at the same time; a worker that is stuck must not make them pile up. */
const maxCommitted = 1_000;

/** `observe` gets the milliseconds from a change that was noted until every worker served it. */
export function followServed(
  on: typeof onMain = onMain,
  observe: (milliseconds: number) => void = () => undefined,
): () => void {
  const forget = on("served", ({ revision }) => {
    state.revision = revision;
    for (const [committed, at] of state.committed) {
      if (revision !== null && committed > revision) continue;
      state.committed.delete(committed);
      if (revision !== null) observe(performance.now() - at);
    }
    for (const look of state.waiting) look();
  });
  return () => {
    forget();
    state.revision = null;
    state.wanted = null;
    state.committed.clear();
    for (const look of state.waiting) look();
  };
}

/** Measures how long a change takes to be served by every worker (`operations.md` O3a). */
export function noteCommitted(revision: number): void {
  if (state.revision !== null && revision > state.revision && state.committed.size < maxCommitted)
    state.committed.set(revision, performance.now());
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

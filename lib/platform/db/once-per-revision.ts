"one per process";

interface Kept<T> {
  readonly revision: number;
  readonly at: number;
  readonly result: Promise<T>;
}

export interface OncePerRevision<T> {
  get(revision: number, now?: number): Promise<T>;
}

const all = new Set<{ kept: unknown }>();

/** Longer than it takes to notice a new revision, short enough for a replaced database. */
export const usualKeepMs = 60_000;

/** Keeps the result of `read` per revision, for `keepMs` at most. Callers share one read. Failures are not kept. */
export function oncePerRevision<T>(read: () => Promise<T>, keepMs = Infinity): OncePerRevision<T> {
  const state: { kept: Kept<T> | null } = { kept: null };
  all.add(state);
  return {
    get: (revision, now = Date.now()) => {
      const { kept } = state;
      if (kept?.revision === revision && now - kept.at < keepMs) return kept.result;
      const result = read();
      state.kept = { revision, at: now, result };
      result.catch(() => {
        if (state.kept?.result === result) state.kept = null;
      });
      return result;
    },
  };
}

export function forgetKept(): void {
  for (const state of all) state.kept = null;
}

import { processGlobal } from "@/lib/platform/process-globals";

interface Kept<T> {
  readonly revision: number;
  readonly at: number;
  readonly result: Promise<T>;
}

export interface OncePerRevision<T> {
  /** What was read at this revision; reads it when that is not known, or too old. Rejects as the reading does. */
  get(revision: number, now?: number): Promise<T>;
}

const all = processGlobal("kept-for-a-revision", () => new Set<{ kept: unknown }>());

/** Longer than it takes to notice a revision, short enough for a database that was put back in place of another. */
export const usualKeepMs = 60_000;

/** Keeps what `read` gives for a revision, for `keepMs` at most; callers share one read. Failures are not kept. */
export function oncePerRevision<T>(name: string, read: () => Promise<T>, keepMs = Infinity): OncePerRevision<T> {
  const state = processGlobal<{ kept: Kept<T> | null }>(name, () => ({ kept: null }));
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

/** Forgets everything that this process keeps for a revision, for whoever puts another database in place within it. */
export function forgetKept(): void {
  for (const state of all) state.kept = null;
}

import { useEffect, useState } from "react";
import { getQuietly } from "@/lib/platform/http/client";
import type { SearchAnswer } from "@/lib/console/search/schema";

/** As the server takes it. */
export const longestSearch = 100;
/** A pause in typing, in milliseconds. */
const pauseMs = 150;

export interface PaletteSearch {
  /** The newest answer, which may be that of the search before while the next is on its way; null: none yet. */
  readonly answer: SearchAnswer | null;
  /** What `answer` answers. */
  readonly answered: string;
  readonly isLoading: boolean;
  readonly error: unknown;
}

const nothing: PaletteSearch = { answer: null, answered: "", isLoading: false, error: null };

/**
 * Asks the server once somebody pauses typing. Only the newest question counts: answers to earlier ones never replace
 * it, whenever they come.
 *
 * @param q trimmed; empty: nothing is asked
 */
export function usePaletteSearch(q: string): PaletteSearch {
  const [state, setState] = useState({ q: "", ...nothing });
  // While rendering, so that nothing of the search before is ever shown for an empty one.
  if (state.q !== q) setState(q === "" ? { q, ...nothing } : { ...state, q, isLoading: true, error: null });

  useEffect(() => {
    if (q === "") return;
    let isStale = false;
    const settle = (change: Partial<PaletteSearch>) => {
      if (!isStale) setState((before) => ({ ...before, isLoading: false, error: null, ...change }));
    };
    const timer = setTimeout(() => {
      getQuietly(`/api/v1/ui/search?q=${encodeURIComponent(q)}`).then(
        (answer) => {
          settle({ answer: answer as SearchAnswer, answered: q });
        },
        (error: unknown) => {
          settle({ answer: null, answered: q, error });
        },
      );
    }, pauseMs);
    return () => {
      isStale = true;
      clearTimeout(timer);
    };
  }, [q]);
  return state;
}

import { useEffect, useState } from "react";
import { getQuietly } from "@/lib/platform/http/client";
import type { SearchAnswer } from "@/app/_search/schema";

/** The server's limit. */
export const longestSearch = 100;
const pauseMs = 150;

export interface PaletteSearch {
  /** May belong to the previous search while the next one loads; null: none yet. */
  readonly answer: SearchAnswer | null;
  /** The text that `answer` belongs to. */
  readonly answered: string;
  readonly isLoading: boolean;
  readonly error: unknown;
}

const nothing: PaletteSearch = { answer: null, answered: "", isLoading: false, error: null };

/** A late earlier response never replaces a later one. An empty `q` sends no request. */
export function usePaletteSearch(q: string): PaletteSearch {
  const [state, setState] = useState({ q: "", ...nothing });
  // During render, so that an empty search never shows old results.
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

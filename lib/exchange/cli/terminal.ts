/** Where a command writes its output. */
export interface Terminal {
  readonly write: (text: string) => void;
  /** Writes progress and notes to standard error. */
  readonly note: (text: string) => void;
  /** Whether a person is watching and wants to see progress. */
  readonly isWatched: boolean;
}

/** The result of a command in both forms (`exchange.md` X4). */
export interface TerminalReport {
  /** For `--json`. */
  readonly data: unknown;
  /** For people, one line each. */
  readonly lines: readonly string[];
  /** Default: 0; 3 for differences. */
  readonly exitCode?: number;
}

/** Exit codes (`exchange.md` X4). */
export const exitCodes = { done: 0, refused: 1, wrongUse: 2, differences: 3 } as const;

/** The message is for people. */
export class CommandRefusal extends Error {
  override readonly name = "CommandRefusal";

  constructor(
    message: string,
    /** For `--json`, e.g. the findings that prevent a publication. */
    readonly data: unknown = {},
    /** Further lines for people. */
    readonly lines: readonly string[] = [],
  ) {
    super(message);
  }
}

/** Shows progress at most ten times a second, on one line that it overwrites. */
export function showProgress({ isWatched, note }: Terminal, words: string) {
  let shownAt = -Infinity;
  return ({ documents, of }: { readonly documents: number; readonly of: number }) => {
    const isLast = documents >= of;
    if (!isWatched || (!isLast && performance.now() - shownAt < 100)) return;
    shownAt = performance.now();
    note(`\r${words} ${documents} of ${of}${isLast ? "\n" : ""}`);
  };
}

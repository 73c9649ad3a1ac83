import { errorNamed } from "@/lib/platform/errors";

/** Where a command of the command line writes. */
export interface Terminal {
  /** Results, to the standard output. */
  readonly write: (text: string) => void;
  /** What goes on meanwhile, to the standard error. */
  readonly note: (text: string) => void;
  /** Whether somebody watches, who wants to see how far long work is. */
  readonly isWatched: boolean;
}

/** What a command found, in both forms (`exchange.md` X4). */
export interface Report {
  /** For `--json`. */
  readonly data: unknown;
  /** For people, a line each. */
  readonly lines: readonly string[];
  /** 0 when not given; 3 for differences. */
  readonly exitCode?: number;
}

/** Exit codes (`exchange.md` X4). */
export const exitCodes = { done: 0, refused: 1, wrongUse: 2, differences: 3 } as const;

/** A command that did not do what was asked. Its message is a sentence for people. */
export class CommandRefusal extends Error {
  override readonly name = "CommandRefusal";

  constructor(
    message: string,
    /** For `--json`, e.g. the findings that forbid a publication. */
    readonly data: unknown = {},
    /** More for people, a line each. */
    readonly lines: readonly string[] = [],
  ) {
    super(message);
  }
}

export const isCommandRefusal = errorNamed<CommandRefusal>("CommandRefusal");

/** Shows how far long work is, at most ten times a second, on one line that is written over. */
export function showProgress({ isWatched, note }: Terminal, words: string) {
  let shownAt = -Infinity;
  return ({ documents, of }: { readonly documents: number; readonly of: number }) => {
    const isLast = documents >= of;
    if (!isWatched || (!isLast && performance.now() - shownAt < 100)) return;
    shownAt = performance.now();
    note(`\r${words} ${documents} of ${of}${isLast ? "\n" : ""}`);
  };
}

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
export const exitCodes = { done: 0, refused: 1, wrongUse: 2, differences: 3, unavailable: 4, attention: 5 } as const;

/** For the help and `docs/command-line.md`. */
export const exitCodeMeanings: Readonly<Record<keyof typeof exitCodes, string>> = {
  done: "done",
  refused: "refused, or a check has failed",
  wrongUse: "wrong usage",
  differences: "diff: the files differ from staging",
  unavailable: "the server cannot be reached or is not available: try again later",
  attention: "status: something needs a person",
};

/** The message is for people. */
export class CommandRefusal extends Error {
  override readonly name = "CommandRefusal";

  constructor(
    message: string,
    /** For `--json`, e.g. the findings that prevent a publication. */
    readonly data: unknown = {},
    /** Further lines for people. */
    readonly lines: readonly string[] = [],
    readonly exitCode: number = exitCodes.refused,
  ) {
    super(message);
  }
}

/** Rows with a heading as lines of aligned columns; `none` if there are no rows. */
export function tabulate(heading: readonly string[], rows: readonly (readonly string[])[], none: string): string[] {
  return rows.length === 0 ? [none] : align([heading, ...rows]);
}

export function align(rows: readonly (readonly string[])[]): string[] {
  const widthOf = (at: number) => Math.max(...rows.map((row) => row[at]?.length ?? 0));
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widthOf(at)))
      .join("  ")
      .trimEnd(),
  );
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

export interface DocumentedStep {
  /** Without `open-policy`; words in double quotes are one. */
  readonly calls: readonly (readonly string[])[];
  /** What they print, together. */
  readonly output: string;
}

/** The blocks of commands in `docs/command-line.md` that have a block of output after them. */
export function readDocumentedSteps(page: string): DocumentedStep[] {
  return [...page.matchAll(/^```sh\n([^`]+)```\n\n```text\n([^`]*)```$/gm)].map(([, commands = "", output = ""]) => ({
    calls: [...commands.matchAll(/open-policy ([^)\n]+)/g)].map(([, call = ""]) =>
      [...call.matchAll(/"([^"]*)"|\S+/g)].map(([word, quoted]) => quoted ?? word),
    ),
    output,
  }));
}

/** One page of the console, for the checks that all pages must pass. */
export interface ConsolePageFacts {
  /** A path, or how to find one on a server with the example data. */
  readonly path: string;
  /** What its one `h1` says. */
  readonly heading: string | RegExp;
  /** Text that the server itself draws, of the data that the page is about. */
  readonly data: string | RegExp;
  readonly needsSession?: boolean;
}

/** Every page of the console. A new page must be added here. */
export const consolePages: readonly ConsolePageFacts[] = [
  { path: "/docs", heading: "API", data: "/applications/action" },
  { path: "/login", heading: "Sign in", data: "Password", needsSession: false },
];

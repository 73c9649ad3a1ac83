import type { TlsPair } from "@/lib/platform/listen/tls-files";

/** Figures of one process as prom-client hands them over (`Registry.getMetricsAsJSON`). */
export type Figures = readonly object[];

/** What the console tells `main`, and `main` the vehicle workers. */
type Passed =
  /** The database is at this revision. */
  | { readonly kind: "committed"; readonly revision: number }
  /** Why the database takes no writes, null while it does. */
  | { readonly kind: "writes"; readonly refusal: string | null }
  /** Packed module certificates by what they were made from; null: cannot be packed. */
  | { readonly kind: "containers"; readonly containers: Readonly<Record<string, string | null>> };

/** What a process tells `main` (`processes.md` N1, N4 to N6). */
export type ToMain =
  /** It listens from now on: what was said before may be lost. */
  | { readonly kind: "hello" }
  /** It does its work. `address` and `pid`: connection string and process of the embedded database. */
  | { readonly kind: "ready"; readonly address?: string; readonly pid?: number }
  /** It can never work as it is configured: `main` ends with status 1. One sentence for the operator each. */
  | { readonly kind: "refused"; readonly problems: readonly string[] }
  /** Every second: its event loop runs. `memory`: what of it is resident, in bytes. */
  | { readonly kind: "alive"; readonly memory?: number }
  /** A vehicle worker: what is kept on disk has been tried, whether or not there was anything. */
  | { readonly kind: "tried" }
  /** A vehicle worker: it answers vehicles from this revision. */
  | { readonly kind: "serving"; readonly revision: number }
  | Passed
  /** The console: asks for the figures of the others. */
  | { readonly kind: "collect"; readonly id: number }
  /** The answer of a process to `collect`. */
  | { readonly kind: "figures"; readonly id: number; readonly figures: Figures };

export type ToChild =
  /** Where the embedded database listens, and its process. */
  | { readonly kind: "database"; readonly address: string; readonly pid?: number | undefined }
  /** A stop is coming: readiness is 503 from now on, connections are closed after their answer (N12). */
  | { readonly kind: "drain" }
  /** With the socket of a port (N1): to listen on. */
  | { readonly kind: "port" }
  | { readonly kind: "securePort" }
  /** For the secure port; told again when the files have changed. */
  | { readonly kind: "tls"; readonly pair: TlsPair }
  /** To a vehicle worker: another one has taken its place; it is to take no more connections, and to close those it has after an answer. */
  | { readonly kind: "retire" }
  /** Finish what is under way and end. */
  | { readonly kind: "stop" }
  | Passed
  /** To the console: the revision that every vehicle worker answers from or has gone beyond; null while there is no vehicle worker (N5). */
  | { readonly kind: "served"; readonly revision: number | null }
  | { readonly kind: "collect"; readonly id: number }
  /** To the console: the figures of all others, by the name of their process. */
  | { readonly kind: "collected"; readonly id: number; readonly figures: Readonly<Record<string, Figures>> };

import type { TlsPair } from "@/lib/platform/listen/tls-files";

/** Metrics of one process in the format of prom-client (`Registry.getMetricsAsJSON`). */
export type Figures = readonly object[];

/** Messages that `main` passes on. */
type Passed =
  /** Where the policy in service comes from, as in `PolicyOrigin`. For processes that start while the disk hangs. */
  | {
      readonly kind: "confirmed";
      readonly origin: {
        readonly databaseId: string | null;
        readonly revision: number;
        readonly confirmedAt: number | null;
      };
    }
  /** The database has this revision. */
  | { readonly kind: "committed"; readonly revision: number }
  /** Why the database refuses writes; null: it accepts them. */
  | { readonly kind: "writes"; readonly refusal: string | null }
  /** Packed module certificates by their source; null: cannot be packed. */
  | { readonly kind: "containers"; readonly containers: Readonly<Record<string, string | null>> };

/** Messages of a process to `main` (`processes.md` N1, N4 to N6). */
export type ToMain =
  /** The process now listens; earlier messages may be lost. */
  | { readonly kind: "hello" }
  /**
   * The process works. `address` and `pid`: connection string and process id of the embedded database. `socket`: where the
   * console listens.
   */
  | { readonly kind: "ready"; readonly address?: string; readonly pid?: number; readonly socket?: string }
  /** The configuration can never work, so `main` ends with status 1. One sentence per problem, for the operator. */
  | { readonly kind: "refused"; readonly problems: readonly string[] }
  /** Sent every second: the event loop runs. `memory`: resident bytes, if known. */
  | { readonly kind: "alive"; readonly memory?: number | undefined }
  /** From a vehicle worker: it has tried to load the policy on disk, whether or not there was one. */
  | { readonly kind: "tried" }
  /** From a vehicle worker: it answers vehicles from this revision. */
  | { readonly kind: "serving"; readonly revision: number }
  | Passed
  /** From the console: requests the metrics of the other processes. */
  | Collect
  /** The answer to `collect`. */
  | { readonly kind: "figures"; readonly id: number; readonly figures: Figures };

/** `names`: of the metrics; default: all. */
interface Collect {
  readonly kind: "collect";
  readonly id: number;
  readonly names?: readonly string[] | undefined;
}

export type ToChild =
  /** Address and process id of the embedded database. */
  | { readonly kind: "database"; readonly address: string; readonly pid?: number | undefined }
  /** Where the console listens. */
  | { readonly kind: "console"; readonly path: string }
  /** A stop is coming: readiness is 503 from now on, and connections close after their response (N12). */
  | { readonly kind: "drain" }
  /** Sent with the socket of a port (N1), to listen on. */
  | { readonly kind: "port" }
  | { readonly kind: "securePort" }
  /** For the secure port; sent again when the files have changed. */
  | { readonly kind: "tls"; readonly pair: TlsPair }
  /** To a vehicle worker that was replaced: take no more connections, and close open ones after a response. */
  | { readonly kind: "retire" }
  /** Finish current work and end. */
  | { readonly kind: "stop" }
  | Passed
  /** To the console: the lowest revision among vehicle API workers; null if there are none (N5). */
  | { readonly kind: "served"; readonly revision: number | null }
  | Collect
  /** To the console: the metrics of all other processes by name. */
  | { readonly kind: "collected"; readonly id: number; readonly figures: Readonly<Record<string, Figures>> };

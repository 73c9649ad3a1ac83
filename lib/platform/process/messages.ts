import type { TlsPair } from "@/lib/platform/listen/tls-files";

export type Figures = readonly object[];

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
  | { readonly kind: "committed"; readonly revision: number }
  | { readonly kind: "writes"; readonly refusal: string | null }
  /** Packed module certificates by their source; null: cannot be packed. */
  | { readonly kind: "containers"; readonly containers: Readonly<Record<string, string | null>> }
  /** From a process that has counted requests of vehicles to the console; the same until `counted` (`fleet.md` S5). */
  | { readonly kind: "counts"; readonly batch: object }
  /** From the console: the batch with this id is stored. */
  | { readonly kind: "counted"; readonly id: string };

export type ToMain =
  /** The process now listens; earlier messages may be lost. */
  | { readonly kind: "hello" }
  /** `address` and `pid`: of the embedded database. `socket`: where the console listens. */
  | { readonly kind: "ready"; readonly address?: string; readonly pid?: number; readonly socket?: string }
  /** The configuration can never work, so `main` ends with status 1. One sentence per problem, for the operator. */
  | { readonly kind: "refused"; readonly problems: readonly string[] }
  /** Sent every second: the event loop runs. `memory`: resident bytes, if known. */
  | { readonly kind: "alive"; readonly memory?: number | undefined }
  /** From a vehicle worker: it has tried to load the policy on disk, whether or not there was one. */
  | { readonly kind: "tried" }
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
  | { readonly kind: "database"; readonly address: string; readonly pid?: number | undefined }
  | { readonly kind: "console"; readonly path: string }
  /** A stop is coming: readiness is 503 from now on, and connections close after their response. */
  | { readonly kind: "drain" }
  | { readonly kind: "port" }
  | { readonly kind: "securePort" }
  | { readonly kind: "tls"; readonly pair: TlsPair }
  /** To a vehicle worker that was replaced: take no more connections, and close open ones after a response. */
  | { readonly kind: "retire" }
  | { readonly kind: "stop" }
  | Passed
  /** To the console: the lowest revision among vehicle API workers; null if there are none. */
  | { readonly kind: "served"; readonly revision: number | null }
  | Collect
  /** To the console: the metrics of all other processes by name. */
  | { readonly kind: "collected"; readonly id: number; readonly figures: Readonly<Record<string, Figures>> };

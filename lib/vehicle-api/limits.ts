/** What a vehicle worker takes at most (`processes.md` N8). */
export interface VehicleWorkerLimits {
  /** Incomplete bodies of one client, beyond which its oldest give way to newer ones; 0: no limit. */
  readonly maxPerClient: number;
  /** Time in which a body need not give way, in milliseconds. */
  readonly undisturbedMs: number;
  /** Memory for bodies that are being received, in bytes. */
  readonly maxBodyBytes: number;
  /** Time for a body, in milliseconds. */
  readonly bodyMs: number;
  /** Requests at once that wait for a module for encryption; without one every answer is made at once. */
  readonly maxWaiting: number;
  /** Answers that clients have not taken yet, in bytes. */
  readonly maxUnsentBytes: number;
  /** A client that takes nothing of its answer for this long is cut off, in milliseconds. */
  readonly unsentMs: number;
}

/** The limits of a vehicle worker that is given none. */
export const defaultLimits: VehicleWorkerLimits = {
  maxPerClient: 64,
  // A car on a slow line has sent its request by then; half of what others have.
  undisturbedMs: 5_000,
  // With as much for bodies to the console: 128 MiB in all.
  maxBodyBytes: 64 * 1_048_576,
  bodyMs: 10_000,
  maxWaiting: 128,
  maxUnsentBytes: 256 * 1_048_576,
  unsentMs: 20_000,
};

/** Why the vehicle worker refuses a request without a look at what it asks; `unsent`: cut off with its answer made. */
export type Reason = "client" | "bytes" | "deadline" | "length" | "waiting" | "unsent";

/** What is in use, for metrics. */
export interface VehicleWorkerFigures {
  /** Bodies that are being received. */
  readonly receiving: number;
  readonly bodyBytes: number;
  /** Clients that send them. */
  readonly clients: number;
  /** Requests that wait for a module for encryption. */
  readonly waiting: number;
  readonly unsentBytes: number;
  /** Requests since the start that came with `X-Forwarded-For` from an address that is not a declared proxy. */
  readonly undeclared: number;
  /** Refused since the start, by reason. */
  readonly refused: Readonly<Record<Reason, number>>;
}

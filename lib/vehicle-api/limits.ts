/** What a vehicle worker takes at most, where it is told nothing else (`processes.md` N8). */
export const defaultLimits = {
  /** Incomplete bodies of one client, beyond which its oldest give way to newer ones; 0: no limit. */
  maxPerClient: 64,
  /** Time in which a body need not give way: a car on a slow line has sent its request by then. Half of what others have. */
  undisturbedMs: 5_000,
  /** With as much for bodies to the console: 128 MiB in all. */
  maxBodyBytes: 64 * 1_048_576,
  bodyMs: 10_000,
  /** Requests at once that wait for a module for encryption; without one every answer is made at once. */
  maxWaiting: 128,
  /** Answers that clients have not taken yet. */
  maxUnsentBytes: 256 * 1_048_576,
  /** A client that takes nothing of its answer for this long is cut off. */
  unsentMs: 20_000,
};

export type VehicleWorkerLimits = Readonly<typeof defaultLimits>;

/** Why the vehicle worker refuses a request without a look at what it asks; `unsent`: cut off with its answer made. */
export type Reason = "client" | "bytes" | "deadline" | "length" | "waiting" | "unsent";

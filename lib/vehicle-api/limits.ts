/** Default limits of a vehicle worker (`processes.md` N8). */
export const defaultLimits = {
  /** Incomplete bodies of one client. Beyond, its oldest ones make room for newer ones; 0: no limit. */
  maxPerClient: 64,
  /** Time in which a body keeps its slot: enough for a car on a slow line to send its request. Half of the total time. */
  undisturbedMs: 5_000,
  /** 128 MiB in total, with the same for bodies to the console. */
  maxBodyBytes: 64 * 1_048_576,
  bodyMs: 10_000,
  /** Requests that wait for an encryption module. Without one, responses are immediate. */
  maxWaiting: 128,
  /** Responses that clients have not read yet. */
  maxUnsentBytes: 256 * 1_048_576,
  /** A client that reads nothing for this long is disconnected. */
  unsentMs: 20_000,
};

export type VehicleWorkerLimits = Readonly<typeof defaultLimits>;

/** Why the vehicle worker refuses a request without processing it; `unsent`: disconnected with its response ready. */
export type Reason = "client" | "bytes" | "deadline" | "length" | "waiting" | "unsent";

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
  maxUnsentBytes: 256 * 1_048_576,
  unsentMs: 20_000,
};

export type VehicleWorkerLimits = Readonly<typeof defaultLimits>;

/** Why the vehicle worker refuses a request without processing it; `unsent`: disconnected with its response ready. */
export type Reason = "client" | "bytes" | "deadline" | "length" | "waiting" | "unsent";

/** Descriptors of a vehicle worker for its program, its channel, its files and the database. */
const ownDescriptors = 64;

/** Divides file descriptors, so that a process never runs out of them (`processes.md` N8a). `limit` null: unknown. */
export function shareDescriptors(limit: number | null, consoleRequests: number) {
  if (limit === null) return { connections: Infinity, consoleRequests, slowClients: 1_024 };
  const most = Math.max(1, Math.floor(limit / 8));
  const [atConsole, slowClients] = [Math.min(consoleRequests, most), Math.min(1_024, most)];
  const connections = Math.max(most, limit - ownDescriptors - atConsole - slowClients);
  return { connections, consoleRequests: atConsole, slowClients };
}

import { processGlobal } from "@/lib/platform/process-globals";

/** The interface of the worker that reads notified apps again. */
export interface ApplicationJobs {
  /**
   * Processes a queued app at once.
   *
   * @returns `applied` once the app is up to date; `waiting` if the work continues in the background. Takes as long as
   *   the app directory does, so callers in a hurry need their own timeout
   */
  soon(uuid: string): Promise<JobEnd>;
  /** Stops the work; running work gets a few seconds. */
  stop(): Promise<void>;
}

interface Workers {
  applicationJobs: ApplicationJobs | null;
}

/** Routes and the server entry live in different bundles of one process. */
const workers = processGlobal<Workers>("directory-workers", () => ({ applicationJobs: null }));

/** Makes the running worker known to the whole process; null once it has stopped. */
export function setApplicationJobs(jobs: ApplicationJobs | null): void {
  workers.applicationJobs = jobs;
}

/** The running worker; null if this process has none, although another may. */
export function findApplicationJobs(): ApplicationJobs | null {
  return workers.applicationJobs;
}

/** The result of waiting for a job: `applied`, or it continues in the background. */
export type JobEnd = "applied" | "waiting";

type Settle = (end: JobEnd) => void;

/** The callers that wait for jobs, by app. */
export class Waiters {
  #byUuid = new Map<string, Settle[]>();

  /** Resolves when the job of this app is settled. */
  add(uuid: string): Promise<JobEnd> {
    return new Promise((resolve) => this.#put(uuid, [resolve]));
  }

  /** Moves the callers waiting for these apps, or for any. */
  moveTo(other: Waiters, uuids: Iterable<string> = [...this.#byUuid.keys()]): void {
    for (const uuid of uuids) other.#put(uuid, this.#take(uuid));
  }

  /** Notifies the callers waiting for these apps, or for any. */
  settle(end: JobEnd, uuids: Iterable<string> = [...this.#byUuid.keys()]): void {
    for (const uuid of uuids) for (const settle of this.#take(uuid)) settle(end);
  }

  #put(uuid: string, settles: readonly Settle[]): void {
    if (settles.length > 0) this.#byUuid.set(uuid, [...(this.#byUuid.get(uuid) ?? []), ...settles]);
  }

  #take(uuid: string): readonly Settle[] {
    const settles = this.#byUuid.get(uuid) ?? [];
    this.#byUuid.delete(uuid);
    return settles;
  }
}

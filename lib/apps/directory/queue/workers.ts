import { processGlobal } from "@/lib/platform/process-globals";

/** The worker that reads notified apps again, as the rest of the process sees it. */
export interface ApplicationJobs {
  /**
   * Has a queued app worked off at once.
   *
   * @returns `applied` when what the directory says about it is stored; `waiting` when that goes on in the background.
   *   Takes as long as the directory takes: callers in a hurry wait with a limit of their own
   */
  soon(uuid: string): Promise<JobEnd>;
  /** Ends the work; what is under way gets a few seconds. */
  stop(): Promise<void>;
}

interface Workers {
  applicationJobs: ApplicationJobs | null;
}

/** Routes and the server entry live in different bundles of one process. */
const workers = processGlobal<Workers>("directory-workers", () => ({ applicationJobs: null }));

/** Makes the running worker known to the whole process; null when it has ended. */
export function setApplicationJobs(jobs: ApplicationJobs | null): void {
  workers.applicationJobs = jobs;
}

/** The running worker, null when there is none: then another process may have one. */
export function findApplicationJobs(): ApplicationJobs | null {
  return workers.applicationJobs;
}

/** How waiting for a job ended: `applied`, or it goes on in the background. */
export type JobEnd = "applied" | "waiting";

type Settle = (end: JobEnd) => void;

/** Who waits for the jobs of which apps. */
export class Waiters {
  #byUuid = new Map<string, Settle[]>();

  /** Resolves when the job of this app is settled. */
  add(uuid: string): Promise<JobEnd> {
    return new Promise((resolve) => this.#put(uuid, [resolve]));
  }

  /** Hands over who waits for these apps, or for any. */
  moveTo(other: Waiters, uuids: Iterable<string> = [...this.#byUuid.keys()]): void {
    for (const uuid of uuids) other.#put(uuid, this.#take(uuid));
  }

  /** Tells who waits for these apps, or for any. */
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

import { processGlobal } from "@/lib/platform/process-globals";

export interface ApplicationJobs {
  /** `waiting`: the work continues in the background. Callers in a hurry need their own timeout. */
  soon(uuid: string): Promise<JobEnd>;
  stop(): Promise<void>;
}

interface Workers {
  applicationJobs: ApplicationJobs | null;
}

/** Routes and the server entry live in different bundles of one process. */
const workers = processGlobal<Workers>("directory-workers", () => ({ applicationJobs: null }));

export function setApplicationJobs(jobs: ApplicationJobs | null): void {
  workers.applicationJobs = jobs;
}

/** Null if this process has none, although another may. */
export function findApplicationJobs(): ApplicationJobs | null {
  return workers.applicationJobs;
}

export type JobEnd = "applied" | "waiting";

type Settle = (end: JobEnd) => void;

export class Waiters {
  #byUuid = new Map<string, Settle[]>();

  add(uuid: string): Promise<JobEnd> {
    return new Promise((resolve) => this.#put(uuid, [resolve]));
  }

  moveTo(other: Waiters, uuids: Iterable<string> = [...this.#byUuid.keys()]): void {
    for (const uuid of uuids) other.#put(uuid, this.#take(uuid));
  }

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

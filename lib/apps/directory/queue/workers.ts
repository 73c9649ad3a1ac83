import { processGlobal } from "@/lib/platform/process-globals";
import type { JobEnd } from "@/lib/apps/directory/queue/waiters";

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

/** The worker that tells the directory what was decided. */
export interface FeedbackSender {
  /** Has the queue looked at now. */
  soon(): void;
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

import "server-only";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { applicationJobs, applicationQueue, retryDelays } from "@/lib/apps/directory/queue/application-queue";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { workOffBatch, type BatchOptions } from "@/lib/apps/directory/apps/work-off-batch";
import { startWorker, type Worker, type WorkerTimes } from "@/lib/jobs/worker";
import { log } from "@/lib/platform/log";
import { AppCertificateModel } from "@/models/app-certificate";

export interface ApplicationJobsOptions extends Omit<BatchOptions, "delays">, WorkerTimes {
  /** Null if the app directory is not available. */
  readonly client: () => Pick<DirectoryClient, "applications"> | null;
  /** Creates an app's first certificate; undefined: creates none. */
  readonly issueCertificate?: (uuid: string) => Promise<void>;
  /** In milliseconds, after the first, second, … failure. */
  readonly delays?: readonly number[];
}

const context: WriteContext = { actor: "directory", route: "application jobs", requestId: null };

/** `directory.md` section 6. */
export function startApplicationJobs(options: ApplicationJobsOptions): Worker {
  const { delays = retryDelays, issueCertificate } = options;
  let certificates: Promise<void> = Promise.resolve();
  return startWorker({
    ...options,
    name: applicationJobs,
    queue: applicationQueue,
    ...{ perBatch: 50, maxBatches: 4 },
    end: () => certificates,
    work: async (client, batch, stop) => {
      try {
        const stored = await workOffBatch(context, client, batch, { ...options, delays });
        if (stored.length === 0) return;
        log.info({ apps: stored.length }, "versions of notified apps were stored");
        if (issueCertificate === undefined) return;
        const uuids = new Set(stored.map(({ uuid }) => uuid));
        // Nobody waits for certificates, and a failure does not undo the storing.
        certificates = certificates.then(() => (stop.aborted ? undefined : issueFirst([...uuids], issueCertificate)));
      } catch (error) {
        if (isUnavailable(error)) throw error;
        log.error({ err: error, apps: batch.jobs.length }, "notified apps were not processed");
      }
    },
  });
}

/** Rule D13. One at a time, because each keeps a core busy for a while; failures are left to the daily task. */
async function issueFirst(uuids: readonly string[], issue: (uuid: string) => Promise<void>): Promise<void> {
  try {
    const found = await AppCertificateModel.find({ _id: { $in: [...uuids] } }, { _id: 1 }).lean();
    const having = new Set(found.map(({ _id }) => _id));
    for (const uuid of uuids.filter((one) => !having.has(one))) {
      await issue(uuid).catch((error: unknown) => {
        log.warn({ uuid, err: error }, "an app waits for its certificate until the daily task");
      });
    }
  } catch (error) {
    log.warn({ err: error }, "apps wait for their certificates until the daily task");
  }
}

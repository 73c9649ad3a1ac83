import "server-only";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { claimDueJobs, renewLease, type ClaimedBatch } from "@/lib/apps/directory/queue/application-queue";
import type { DirectoryClient } from "@/lib/apps/directory/client/client";
import { startPollLoop } from "@/lib/apps/directory/queue/poll-loop";
import { retryDelays } from "@/lib/apps/directory/queue/due-times";
import { Waiters, type JobEnd, setApplicationJobs, type ApplicationJobs } from "@/lib/apps/directory/queue/workers";
import { workOffBatch, type BatchOptions } from "@/lib/apps/directory/apps/work-off-batch";
import { log } from "@/lib/platform/log";
import { within } from "@/lib/platform/async";
import { AppCertificateModel } from "@/models/app-certificate";

export interface ApplicationJobsOptions extends Omit<BatchOptions, "delays"> {
  /** Null if the app directory is not available; then nothing is taken from the queue. */
  readonly client: () => Pick<DirectoryClient, "applications"> | null;
  /** Creates an app's first certificate; undefined: creates none. */
  readonly issueCertificate?: (uuid: string) => Promise<void>;
  /** In milliseconds, after the first, second, … failure. */
  readonly delays?: readonly number[];
  /** Milliseconds; default: 1 s. */
  readonly pollMs?: number;
  /** Milliseconds until other workers may take the elements of a dead one; default: 60 s. */
  readonly leaseMs?: number;
  /** Milliseconds that `stop` waits for running batches; default: 5 s. */
  readonly stopMs?: number;
}

const perBatch = 50;
/** A batch that waits for a slow download or a hanging call must not block the others. */
const maxBatches = 4;
/** Further callers do not wait, because all responses would be late. */
const maxWaiting = 100;

const context: WriteContext = { actor: "directory", route: "application jobs", requestId: null };

interface Running {
  readonly uuids: readonly string[];
  readonly waiters: Waiters;
  ended: Promise<void>;
}

/** `directory.md` section 6. Claims on elements expire, so a killed process loses none, and several share the queue. */
export function startApplicationJobs(options: ApplicationJobsOptions): ApplicationJobs {
  const { pollMs = 1_000, leaseMs = 60_000, stopMs = 5_000, delays = retryDelays, issueCertificate } = options;
  const waiters = new Waiters();
  const running = new Set<Running>();
  let waiting = 0;
  let isStopped = false;
  let certificates: Promise<void> = Promise.resolve();

  async function look(): Promise<boolean> {
    // Callers waiting now have already queued their app: this poll finds it, unless somebody has claimed it.
    const asking = new Waiters();
    waiters.moveTo(asking);
    try {
      const client = options.client();
      if (client === null) return false;
      if (running.size >= maxBatches) {
        asking.moveTo(waiters);
        return false;
      }
      const batch = await claimDueJobs(perBatch, leaseMs);
      if (batch !== null && batch.jobs.length > 0) begin(client, batch, asking);
      for (const { uuids, waiters: others } of running) asking.moveTo(others, uuids);
      if (batch?.jobs.length === perBatch) asking.moveTo(waiters);
      return batch !== null;
    } finally {
      asking.settle("waiting");
    }
  }

  function begin(client: Pick<DirectoryClient, "applications">, batch: ClaimedBatch, asking: Waiters): void {
    const uuids = batch.jobs.map(({ uuid }) => uuid);
    const entry: Running = { uuids, waiters: new Waiters(), ended: Promise.resolve() };
    asking.moveTo(entry.waiters, uuids);
    running.add(entry);
    entry.ended = run(client, batch, entry.waiters).finally(() => {
      running.delete(entry);
      loop.wake();
    });
  }

  async function run(client: Pick<DirectoryClient, "applications">, batch: ClaimedBatch, own: Waiters): Promise<void> {
    const renewal = setInterval(() => {
      // If the renewal fails, the claim may be lost, which only causes the work to be repeated.
      renewLease(batch, leaseMs).catch(() => undefined);
    }, leaseMs / 3);
    try {
      const { applied, again, stored } = await workOffBatch(context, client, batch, { ...options, delays });
      own.settle("applied", applied);
      own.moveTo(waiters, again);
      if (stored.length > 0) log.info({ apps: stored.length }, "versions of notified apps were stored");
      issueLater(stored.map(({ uuid }) => uuid));
    } catch (error) {
      if (!isUnavailable(error)) log.error({ err: error, apps: batch.jobs.length }, "notified apps were not processed");
    } finally {
      clearInterval(renewal);
      own.settle("waiting");
    }
  }

  /** Nobody waits for certificates, and a failure does not undo the storing. */
  function issueLater(uuids: readonly string[]): void {
    if (issueCertificate === undefined || uuids.length === 0) return;
    certificates = certificates.then(() =>
      isStopped ? undefined : issueFirstCertificates([...new Set(uuids)], issueCertificate),
    );
  }

  const loop = startPollLoop("application jobs", pollMs, look);
  const jobs: ApplicationJobs = {
    soon: async (uuid) => {
      if (isStopped) return "waiting";
      const end = waiting < maxWaiting ? waiters.add(uuid) : Promise.resolve<JobEnd>("waiting");
      waiting++;
      loop.wake();
      try {
        return await end;
      } finally {
        waiting--;
      }
    },
    stop: async () => {
      isStopped = true;
      setApplicationJobs(null);
      await loop.stop();
      waiters.settle("waiting");
      const ended = [...running].map((batch) => batch.ended);
      await within(stopMs, Promise.all([...ended, certificates]), () => undefined);
    },
  };
  setApplicationJobs(jobs);
  return jobs;
}

/** Rule D13. One at a time, because each keeps a core busy for a while; failures are left to the daily task. */
async function issueFirstCertificates(uuids: readonly string[], issue: (uuid: string) => Promise<void>): Promise<void> {
  try {
    const found = await AppCertificateModel.find({ _id: { $in: [...uuids] } }, { _id: 1 }).lean();
    const having = new Set(found.map(({ _id }) => _id));
    for (const uuid of uuids) if (!having.has(uuid)) await issueOne(uuid, issue);
  } catch (error) {
    log.warn({ err: error }, "apps wait for their certificates until the daily task");
  }
}

async function issueOne(uuid: string, issue: (uuid: string) => Promise<void>): Promise<void> {
  try {
    await issue(uuid);
  } catch (error) {
    log.warn({ uuid, err: error }, "an app waits for its certificate until the daily task");
  }
}

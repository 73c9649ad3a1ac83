"one per process";

import "server-only";
import { handleBundle as handlePackage } from "@/lib/apps/bundles/handlers";
import { removeLeftoverBundles } from "@/lib/apps/bundles/temporary-files";
import { inDatabase } from "@/lib/platform/db/connection/connect";
import { findHeldLocks, releaseLocks } from "@/lib/platform/db/lock";
import type { HandleBundle } from "@/lib/apps/directory/apps/process-applications";
import { createDirectoryClient, type DirectoryClient } from "@/lib/apps/directory/client/client";
import { directoryEndpoint, setExampleEndpoint } from "@/lib/apps/directory/client/endpoint";
import { lockOf, type TaskName } from "@/lib/jobs/task-names";
import { TaskRunner } from "@/lib/jobs/task-runner";
import { buildTasks } from "@/lib/apps/directory/tasks";
import { log } from "@/lib/platform/log";
import type { Settings } from "@/lib/platform/settings";
import { issueFirstCertificate } from "@/lib/certificates/app/app-container";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { startApplicationJobs } from "@/lib/apps/directory/apps/application-jobs";
import { startFeedbackSender } from "@/lib/apps/directory/queue/feedback-sender";
import { startReviewMail } from "@/lib/platform/mail/review-mail";

export interface DirectoryRuntime {
  /** Starts everything in the background; call it when first data is loaded. Only the first call counts. */
  start(): void;
  /** Null without an app directory. */
  client(): DirectoryClient | null;
  /** In the background. Empty: apps are already being synchronized, here or elsewhere; null: no app directory. */
  startSync(): Promise<readonly TaskName[] | null>;
  stop(): Promise<void>;
}

/** Time for running tasks at a stop. Calls are aborted at once, so this is for a write in progress. */
const finishMs = 3_000;

let current: DirectoryRuntime | null = null;

/** Null on hosts without directory work, as in tests of routes. */
export function findDirectoryRuntime(): DirectoryRuntime | null {
  return current;
}

export function createDirectoryRuntime(settings: Settings): DirectoryRuntime {
  // The start need not repeat what another instance did since this process started.
  const startedAt = new Date(performance.timeOrigin);
  const stopping = new AbortController();
  let beginning: Promise<void> | null = null;
  let client: DirectoryClient | null = null;
  let runner: TaskRunner | null = null;
  const ends: (() => unknown)[] = [];
  let closeExample = (): Promise<void> => Promise.resolve();

  async function begin(): Promise<void> {
    removeLeftoverBundles(settings).catch((error: unknown) => log.warn({ err: error }, "downloads left behind"));
    try {
      if (settings.directory === "example") closeExample = await startExample();
    } catch (error) {
      log.error({ err: error }, "the example directory could not be started; there is no directory");
    }
    if (stopping.signal.aborted) return;
    const endpoint = directoryEndpoint(settings);
    if (endpoint === null) log.warn("no app directory: apps, permissions and categories stay as they are");
    else client = createDirectoryClient(endpoint, { stop: stopping.signal });
    const handleBundle: HandleBundle = (url) => handlePackage(url, settings, { signal: stopping.signal });
    const isReading = () => runner?.active().includes("applications") ?? false;
    if (client !== null) ends.push(startQueues(settings, client, handleBundle, isReading));
    const tasks: TaskRunner = new TaskRunner({
      tasks: buildTasks({
        ...{ settings, client, handleBundle },
        // New apps have no certificate yet, and the renewal of this start may already have passed them.
        afterStoring: () => {
          if (settings.certificateGeneration.enabled) tasks.want("app-certificates");
        },
      }),
      timeZone: settings.tz,
    });
    ends.push(() => tasks.stop(finishMs));
    tasks.start(startedAt);
    runner = tasks;
  }

  const runtime: DirectoryRuntime = {
    start: () => {
      beginning ??= begin();
    },
    client: () => client,
    startSync: async () => (runner === null || client === null ? null : startReading(runner)),
    stop: async () => {
      stopping.abort();
      await beginning;
      await Promise.all(ends.map((end) => end()));
      await releaseLocks();
      await closeExample();
      if (current === runtime) current = null;
    },
  };
  return (current = runtime);
}

const reading: readonly TaskName[] = ["permissions", "service-types", "categories", "applications"];

async function startReading(runner: TaskRunner): Promise<readonly TaskName[]> {
  const held = await inDatabase(() => findHeldLocks(reading.map(lockOf)));
  // If the lists are being read elsewhere, that is good enough; apps that wait for lists here hold no lock yet.
  if (held.has(lockOf("applications")) || runner.active().includes("applications")) return [];
  const known = runner.tasks.map(({ name }) => name);
  const names = reading.filter((name) => known.includes(name) && !held.has(lockOf(name)));
  for (const name of names) void runner.run(name);
  return names;
}

async function startExample(): Promise<() => Promise<void>> {
  // Loaded on demand, because production servers do not need the code.
  const { startExampleDirectory } = await import("@/example-directory/directory");
  const directory = await startExampleDirectory();
  setExampleEndpoint(directory.endpoint);
  log.info({ url: directory.endpoint.baseUrl }, "no directory keys: the example directory serves made-up apps");
  return async () => {
    setExampleEndpoint(null);
    await directory.close();
  };
}

const jobContext: WriteContext = { actor: "directory", route: "application jobs", requestId: null };

/** Processes what waits in the database, from this run or earlier ones (`directory.md` sections 6, 7 and 10). */
function startQueues(
  settings: Settings,
  client: DirectoryClient,
  handleBundle: HandleBundle,
  isReading: () => boolean,
): () => Promise<unknown> {
  const mail = startReviewMail(settings);
  const jobs = startApplicationJobs({
    client: () => client,
    ...{ settings, handleBundle },
    mail: (app) => mail.add(app),
    issueCertificate: (uuid) => issueFirstCertificate(uuid, jobContext),
  });
  const feedback = startFeedbackSender({ client: () => client, isReading });
  return async () => {
    await Promise.all([jobs.stop(), feedback.stop()]);
    await mail.stop();
  };
}

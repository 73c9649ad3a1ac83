import "server-only";
import { loadInTime } from "@/lib/platform/db/load-in-time";
import { directoryEndpoint } from "@/lib/apps/directory/client/endpoint";
import { listTasks, type ShownTask } from "@/lib/apps/directory/queries";
import { countWaitingFeedback, countWaitingJobs, type QueueSummary } from "@/lib/apps/directory/queue/queue-queries";
import { listTaskNames } from "@/lib/apps/directory/tasks/task-names";
import type { Settings } from "@/lib/platform/settings";

/** Describes the app directory and its tasks. `tasks` and `queues` are null while the database is away or slow. */
export async function loadAboutDirectory(settings: Settings) {
  const [tasks, jobs, feedback] = await Promise.all([
    loadInTime(() => listTasks(listTaskNames(settings))),
    loadInTime(countWaitingJobs),
    loadInTime(countWaitingFeedback),
  ]);
  return {
    mode: settings.directory,
    base_url: directoryEndpoint(settings)?.baseUrl ?? null,
    tasks: tasks?.map(toWireTask) ?? null,
    queues: jobs && feedback && { applications: toWireQueue(jobs), feedback: toWireQueue(feedback) },
  };
}

function toWireQueue({ waiting, failing, nextDueAt, lastError }: QueueSummary) {
  return { waiting, failing, next_due_ts: nextDueAt, last_error: lastError };
}

function toWireTask(task: ShownTask) {
  const { name, state, phase, done, total, counts } = task;
  return {
    ...{ name, state, phase, done, total, counts },
    started_ts: toText(task.startedAt),
    finished_ts: toText(task.finishedAt),
    succeeded_ts: toText(task.succeededAt),
    // One in the past was left behind by a schedule that runs no more.
    next_run_ts: Number(task.nextRunAt) > Date.now() ? toText(task.nextRunAt) : null,
    last_error: task.lastError,
  };
}

function toText(date: Date | null): string | null {
  return date?.toISOString() ?? null;
}

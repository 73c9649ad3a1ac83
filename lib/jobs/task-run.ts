import { holdsItsLocks } from "@/lib/platform/db/held-locks";
import type { TaskName } from "@/lib/jobs/task-names";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { shareWork } from "@/lib/platform/async";
import { log } from "@/lib/platform/log";
import { inSpan } from "@/lib/platform/traces/traces";
import { DirectoryTaskModel, type DirectoryTaskRecord } from "@/models/directory/directory-task";

export interface Task {
  readonly name: TaskName;
  readonly at: { readonly hour: number; readonly minute: number };
  /** Tasks to wait for, if they are running or about to. */
  readonly after?: readonly TaskName[];
  /** The counts are logged and shown. After `stop`, a later run does the rest. */
  run(report: TaskReport, stop: AbortSignal): Promise<TaskCounts | undefined>;
}

export type TaskCounts = Readonly<Record<string, number | boolean>>;

export type TaskState = Required<Omit<DirectoryTaskRecord, "_id" | "counts">> & { readonly counts: TaskCounts | null };

export interface RunPace {
  readonly storeEveryMs: number;
  readonly logEveryMs: number;
}

export const defaultPace: RunPace = { storeEveryMs: 1_000, logEveryMs: 10_000 };

/** Shown for a run whose process ended before it did. */
export const interrupted = "Interrupted: the server that ran it was stopped";

/** Stores progress about once a second; a failure to store it does not affect the task. Never rejects. */
export async function runTaskOnce(task: Task, stop: AbortSignal, pace = defaultPace): Promise<boolean> {
  const startedAt = new Date();
  const progress = new Progress(task.name, pace);
  log.info({ task: task.name }, "task started");
  await saveTask(task.name, {
    ...{ state: "running", phase: null, done: 0, total: null },
    ...{ startedAt, finishedAt: null },
  });
  try {
    const counts = (await inSpan(`task ${task.name}`, { kind: "internal" }, () => task.run(progress, stop))) ?? null;
    await progress.end();
    const finishedAt = new Date();
    const result = { finishedAt, succeededFrom: startedAt, succeededAt: finishedAt, lastError: null, counts };
    await saveTask(task.name, { state: "succeeded", phase: null, ...progress.figures, ...result });
    log.info({ task: task.name, ...counts, milliseconds: Number(finishedAt) - Number(startedAt) }, "task finished");
    return true;
  } catch (error) {
    await progress.end();
    const lastError = stop.aborted ? interrupted : describeFailure(error);
    await saveTask(task.name, { state: "failed", ...progress.figures, finishedAt: new Date(), lastError });
    const milliseconds = Date.now() - Number(startedAt);
    if (stop.aborted) log.info({ task: task.name, milliseconds }, "task interrupted by the stop of the server");
    else log.error({ task: task.name, err: error, milliseconds }, "task failed");
    return false;
  }
}

/** Never fails, because records are only informative. */
export async function saveTask(name: string, changes: Partial<TaskState>): Promise<void> {
  // The record belongs to the run of whoever holds the lock now.
  if (!holdsItsLocks()) return;
  try {
    await DirectoryTaskModel.updateOne({ _id: name }, { $set: changes }, { upsert: true });
  } catch {
    // Database unreachable: the task itself will notice, and a run without its lock counts as interrupted.
  }
}

class Progress implements TaskReport {
  readonly #timers: readonly NodeJS.Timeout[];
  readonly #store: () => Promise<void>;
  #now: Pick<TaskState, "phase" | "done" | "total"> = { phase: null, done: 0, total: null };

  constructor(name: TaskName, { storeEveryMs, logEveryMs }: RunPace) {
    let stored = this.#now;
    this.#store = shareWork(async () => {
      if (stored === this.#now) return;
      stored = this.#now;
      await saveTask(name, stored);
    });
    const tell = () => log.info({ task: name, ...this.#now }, "task under way");
    this.#timers = [setInterval(() => void this.#store(), storeEveryMs), setInterval(tell, logEveryMs)];
    for (const timer of this.#timers) timer.unref();
  }

  get figures(): Pick<TaskState, "done" | "total"> {
    return { done: this.#now.done, total: this.#now.total };
  }

  phase(phase: string): void {
    this.#now = { ...this.#now, phase };
  }

  progress(done: number, total: number | null): void {
    this.#now = { ...this.#now, done, total };
  }

  /** Stores nothing after this has resolved, because the next write is the one about the end. */
  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#store();
  }
}

/** Errors whose messages are written for administrators and contain no secret. */
const speaking: ReadonlySet<string> = new Set([
  "AppError",
  "DatabaseUnavailable",
  "DirectoryFailed",
  "DirectoryRefused",
  "LockLost",
  "SpecificationRefused",
  // Thrown by this server with a readable message; errors of the platform have a code.
  "Error",
]);
const longest = 300;

/** Of unexpected errors it shows only the name, because their messages may quote data. The log has them. */
function describeFailure(error: unknown): string {
  if (!(error instanceof Error)) return "Unexpected failure; see the log";
  const isSpeaking = speaking.has(error.name) && !(error.name === "Error" && "code" in error);
  if (!isSpeaking) return `Unexpected failure (${error.name}); see the log`;
  return error.message.replaceAll(/\s+/g, " ").trim().slice(0, longest);
}

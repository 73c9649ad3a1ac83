import { holdsItsLocks } from "@/lib/platform/db/held-locks";
import type { TaskName } from "@/lib/apps/directory/tasks/task-names";
import type { TaskReport } from "@/lib/platform/process/task-report";
import { inSpan } from "@/lib/platform/traces/traces";
import { DirectoryTaskModel } from "@/models/directory/directory-task";

export interface DirectoryTask {
  readonly name: TaskName;
  readonly at: { readonly hour: number; readonly minute: number };
  /** Tasks to wait for, if they are running or about to. */
  readonly after?: readonly TaskName[];
  /** The counts are logged and shown. After `stop`, a later run does the rest. */
  run(report: TaskReport, stop: AbortSignal): Promise<TaskCounts | undefined>;
}

export type TaskCounts = Readonly<Record<string, number | boolean>>;

export interface TaskState {
  readonly state: "waiting" | "running" | "succeeded" | "failed";
  readonly phase: string | null;
  readonly done: number;
  readonly total: number | null;
  readonly counts: TaskCounts | null;
  readonly startedAt: Date | null;
  readonly finishedAt: Date | null;
  readonly succeededFrom: Date | null;
  readonly succeededAt: Date | null;
  readonly lastError: string | null;
  readonly nextRunAt: Date | null;
}

export interface RunLog {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

export interface RunPace {
  readonly storeEveryMs: number;
  readonly logEveryMs: number;
}

export const defaultPace: RunPace = { storeEveryMs: 1_000, logEveryMs: 10_000 };

/** Shown for a run whose process ended before it did. */
export const interrupted = "Interrupted: the server that ran it was stopped";

/** Stores progress about once a second; a failure to store it does not affect the task. Never rejects. */
export async function runTaskOnce(
  task: DirectoryTask,
  { log, stop, pace = defaultPace }: { readonly log: RunLog; readonly stop: AbortSignal; readonly pace?: RunPace },
): Promise<boolean> {
  const startedAt = new Date();
  const progress = new Progress(task.name, log, pace);
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
  readonly #name: string;
  readonly #timers: readonly NodeJS.Timeout[];
  #phase: string | null = null;
  #done = 0;
  #total: number | null = null;
  #isStored = true;
  #storing: Promise<void> | null = null;

  constructor(name: TaskName, log: RunLog, { storeEveryMs, logEveryMs }: RunPace) {
    this.#name = name;
    const tell = () => log.info({ task: name, phase: this.#phase, ...this.figures }, "task under way");
    this.#timers = [setInterval(() => this.#store(), storeEveryMs), setInterval(tell, logEveryMs)];
    for (const timer of this.#timers) timer.unref();
  }

  get figures(): { readonly done: number; readonly total: number | null } {
    return { done: this.#done, total: this.#total };
  }

  phase(words: string): void {
    this.#phase = words;
    this.#isStored = false;
  }

  progress(done: number, total: number | null): void {
    this.#done = done;
    this.#total = total;
    this.#isStored = false;
  }

  /** Stores nothing after this has resolved, because the next write is the one about the end. */
  async end(): Promise<void> {
    for (const timer of this.#timers) clearInterval(timer);
    await this.#storing;
  }

  #store(): void {
    if (this.#isStored || this.#storing !== null) return;
    this.#isStored = true;
    this.#storing = saveTask(this.#name, { phase: this.#phase, ...this.figures }).finally(() => {
      this.#storing = null;
    });
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

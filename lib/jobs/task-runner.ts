import { lockOf, type TaskName } from "@/lib/jobs/task-names";
import { type Task, type RunPace, runTaskOnce, saveTask } from "@/lib/jobs/task-run";
import { within } from "@/lib/platform/async";
import { type DirectoryTaskRecord, DirectoryTaskModel } from "@/models/directory/directory-task";
import { Cron } from "croner";
import { startPollLoop, type PollLoop } from "@/lib/jobs/poll-loop";
import { log } from "@/lib/platform/log";
import { withLock } from "@/lib/platform/db/lock";
import { inDatabase } from "@/lib/platform/db/connection/connect";

/** `busy`: it is already running, here or on another instance. `done`: another instance has just done it. */
export type TaskOutcome = "succeeded" | "failed" | "busy" | "done";

export interface TaskRunnerOptions {
  readonly tasks: readonly Task[];
  /** Of the daily times; null: that of the server. */
  readonly timeZone?: string | null;
  readonly pace?: RunPace;
  /** Milliseconds until a failed run is repeated once (`directory.md` 4.1). */
  readonly repeatAfterMs?: number;
  /** Milliseconds between looks at the clock and at what other instances have done. */
  readonly lookMs?: number;
}

const defaultRepeatAfterMs = 5 * 60_000;
const defaultLookMs = 20_000;
/** The clocks of instances differ: a run that another instance began this much earlier counts as the same. */
const clockDifferenceMs = 60_000;

/** Each task runs on one instance at a time. Nothing here rejects. */
export class TaskRunner {
  readonly #active = new Map<TaskName, Promise<TaskOutcome>>();
  /** When each task was last asked for. */
  readonly #wanted = new Map<TaskName, Date>();
  /** What this process has done for `since`. Records are only informative: one may not have been stored. */
  readonly #done = new Map<TaskName, { readonly since: number; readonly nextAt: number }>();
  readonly #stopping = new AbortController();
  #loop: PollLoop | null = null;

  constructor(private readonly options: TaskRunnerOptions) {}

  get tasks(): readonly Task[] {
    return this.options.tasks;
  }

  /** A successful run of another instance that began at `since` or later replaces this one. */
  run(name: TaskName, since: Date | null = null): Promise<TaskOutcome> {
    const task = this.options.tasks.find((one) => one.name === name);
    if (task === undefined) return Promise.resolve("failed");
    if (this.#stopping.signal.aborted || this.#active.has(name)) return Promise.resolve("busy");
    const running = this.#run(task, since).finally(() => this.#active.delete(name));
    this.#active.set(name, running);
    return running;
  }

  /** Runs all tasks now (`directory.md` 4.1) and daily (4.2), in the background. */
  start(since: Date): void {
    const { tasks, lookMs = defaultLookMs, timeZone = null } = this.options;
    const days = tasks.map((task) => ({ task, times: dailyTimes(task, timeZone) }));
    for (const { name } of tasks) this.#wanted.set(name, since);
    this.#loop = startPollLoop("tasks", lookMs, async () => {
      const names = tasks.map(({ name }) => name);
      const records = await inDatabase(() => DirectoryTaskModel.find({ _id: { $in: names } }).lean());
      // All in the same turn: some wait for others that have begun.
      for (const { task, times } of days) this.#look(task, times, records.find(({ _id }) => _id === task.name) ?? null);
      return false;
    });
  }

  /** Runs a task once more, in the background. */
  want(name: TaskName): void {
    this.#wanted.set(name, new Date());
    this.#loop?.wake();
  }

  active(): readonly TaskName[] {
    return [...this.#active.keys()];
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    await within(timeoutMs, Promise.all([this.#loop?.stop(), ...this.#active.values()]), () => undefined);
  }

  /** Runs a task that has not succeeded since it was last due: daily, or asked for. */
  #look({ name }: Task, times: Cron, record: DirectoryTaskRecord | null): void {
    const nextRunAt = times.nextRun();
    if (Number(record?.nextRunAt) !== Number(nextRunAt)) void saveTask(name, { nextRunAt });
    const now = Date.now();
    const daily = Number(times.previousRuns(1)[0]) - clockDifferenceMs;
    const wanted = Number(this.#wanted.get(name));
    // What was asked for in the future was dated by a clock that has been set back since.
    const since = wanted <= now + clockDifferenceMs ? Math.max(wanted, daily) : daily;
    const done = this.#done.get(name);
    const isPutOff = done?.since === since && performance.now() < done.nextAt;
    if (isPutOff || this.#active.has(name) || hasSucceededSince(record, since)) return;
    void this.run(name, new Date(since)).then((outcome) => this.#noteEnd(name, since, outcome));
  }

  /** A failed run is repeated once, and then left to the next day. */
  #noteEnd(name: TaskName, since: number, outcome: TaskOutcome): void {
    if (outcome === "busy") return;
    const { repeatAfterMs = defaultRepeatAfterMs } = this.options;
    const isRepeated = outcome === "failed" && this.#done.get(name)?.since !== since;
    this.#done.set(name, { since, nextAt: isRepeated ? performance.now() + repeatAfterMs : Infinity });
    if (isRepeated) log.warn({ task: name, at: new Date(Date.now() + repeatAfterMs) }, "task is repeated later");
  }

  async #run(task: Task, since: Date | null): Promise<TaskOutcome> {
    await this.#waitForOthers(task);
    if (this.#stopping.signal.aborted) return "busy";
    try {
      const leased = await withLock(lockOf(task.name), { wait: false }, async (): Promise<TaskOutcome> => {
        const record = since === null ? null : await DirectoryTaskModel.findOne({ _id: task.name }).lean();
        if (hasSucceededSince(record, Number(since))) return "done";
        return (await runTaskOnce(task, this.#stopping.signal, this.options.pace)) ? "succeeded" : "failed";
      });
      return leased?.result ?? "busy";
    } catch (error) {
      log.error({ task: task.name, err: error }, "task could not be started");
      return "failed";
    }
  }

  /** Whatever their result: a list that could not be read is no reason to miss apps. */
  async #waitForOthers({ name, after = [] }: Task): Promise<void> {
    // Also wait for tasks that are started later in the same turn.
    await Promise.resolve();
    const others = after.flatMap((other) => this.#active.get(other) ?? []);
    if (others.length === 0) return;
    await saveWaiting(name, `waiting for ${after.join(", ")}`);
    await Promise.allSettled(others);
  }
}

/** Another instance may be running the task; then its record stays unchanged. */
async function saveWaiting(name: TaskName, phase: string): Promise<void> {
  const unlessRunning = { _id: name, state: { $ne: "running" as const } };
  const changes = { state: "waiting" as const, phase, done: 0, total: null };
  await DirectoryTaskModel.updateOne(unlessRunning, { $set: changes }, { upsert: true }).catch(() => undefined);
}

function hasSucceededSince(record: DirectoryTaskRecord | null, since: number): boolean {
  const from = Number(record?.succeededFrom ?? Number.NaN);
  // A run in the future was dated by a clock that was ahead; trusting it would postpone the task until then.
  return from >= since && from <= Date.now() + clockDifferenceMs;
}

/** Only reckoned with: a timer would not notice that the clock is set. */
function dailyTimes({ at }: Task, timeZone: string | null): Cron {
  return new Cron(`${at.minute} ${at.hour} * * *`, { paused: true, ...(timeZone !== null && { timezone: timeZone }) });
}

import { setTimeout as wait } from "node:timers/promises";
import { lockOf, type TaskName } from "@/lib/apps/directory/tasks/task-names";
import {
  type DirectoryTask,
  type RunLog,
  type RunPace,
  runTaskOnce,
  saveTask,
} from "@/lib/apps/directory/tasks/task-run";
import { within } from "@/lib/platform/async";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { Cron } from "croner";
import { type Clock, realClock } from "@/lib/platform/db/clock";

/** `busy`: it is already running, here or on another instance. `done`: another instance has just done it. */
export type TaskOutcome = "succeeded" | "failed" | "busy" | "done";

export type Lease = <T>(name: string, work: () => Promise<T>) => Promise<{ readonly result: T } | null>;

export interface TaskRunnerOptions {
  readonly tasks: readonly DirectoryTask[];
  readonly lease: Lease;
  readonly log: RunLog;
  readonly pace?: RunPace;
  /** Milliseconds until a failed run is repeated once (`directory.md` 4.1). */
  readonly repeatAfterMs?: number;
  /** Milliseconds between checks whether another instance has finished a task. */
  readonly lookAgainMs?: number;
}

const defaultRepeatAfterMs = 5 * 60_000;
const defaultLookAgainMs = 20_000;
/** The clocks of instances differ: a run that another instance began this much earlier counts as the same. */
const clockDifferenceMs = 60_000;

/** Each task runs on one instance at a time. Nothing here rejects or keeps the process alive. */
export class TaskRunner {
  readonly #options: TaskRunnerOptions;
  readonly #active = new Map<TaskName, Promise<TaskOutcome>>();
  readonly #background = new Set<Promise<unknown>>();
  readonly #stopping = new AbortController();

  constructor(options: TaskRunnerOptions) {
    this.#options = options;
  }

  get tasks(): readonly DirectoryTask[] {
    return this.#options.tasks;
  }

  /** A successful run of another instance that began at `since` or later replaces this one. */
  run(name: TaskName, since: Date | null = null): Promise<TaskOutcome> {
    const task = this.#options.tasks.find((one) => one.name === name);
    if (task === undefined) return Promise.resolve("failed");
    if (this.#stopping.signal.aborted || this.#active.has(name)) return Promise.resolve("busy");
    const running = this.#run(task, since).finally(() => this.#active.delete(name));
    this.#active.set(name, running);
    return running;
  }

  /** In the background: repeats a failed run once, and watches a run of another instance until it ends. */
  ensure(name: TaskName, since: Date): void {
    const ensuring = this.#ensure(name, since).finally(() => this.#background.delete(ensuring));
    this.#background.add(ensuring);
  }

  /** Starts all tasks in the order of `directory.md` 4.1 (S1), in parallel except for those that wait for others. */
  ensureAll(since: Date): void {
    for (const { name } of this.#options.tasks) this.ensure(name, since);
  }

  active(): readonly TaskName[] {
    return [...this.#active.keys()];
  }

  async stop(timeoutMs: number): Promise<void> {
    this.#stopping.abort();
    const ended = Promise.allSettled([...this.#active.values(), ...this.#background]);
    await within(timeoutMs, ended, () => undefined);
  }

  async #ensure(name: TaskName, since: Date): Promise<void> {
    const { repeatAfterMs = defaultRepeatAfterMs, lookAgainMs = defaultLookAgainMs, log } = this.#options;
    let isRepeated = false;
    for (;;) {
      const outcome = await this.run(name, since);
      if (outcome === "succeeded" || outcome === "done" || (outcome === "failed" && isRepeated)) return;
      if (outcome === "failed") {
        isRepeated = true;
        const at = new Date(Date.now() + repeatAfterMs);
        log.warn({ task: name, at }, "task is repeated later");
      }
      await this.#pause(outcome === "failed" ? repeatAfterMs : lookAgainMs);
      if (this.#stopping.signal.aborted) return;
    }
  }

  async #run(task: DirectoryTask, since: Date | null): Promise<TaskOutcome> {
    const { lease, log, pace } = this.#options;
    await this.#waitForOthers(task);
    if (this.#stopping.signal.aborted) return "busy";
    try {
      const leased = await lease(lockOf(task.name), async (): Promise<TaskOutcome> => {
        if (since !== null && (await hasSucceededSince(task.name, since))) return "done";
        const options = { log, stop: this.#stopping.signal, ...(pace && { pace }) };
        return (await runTaskOnce(task, options)) ? "succeeded" : "failed";
      });
      return leased?.result ?? "busy";
    } catch (error) {
      log.error({ task: task.name, err: error }, "task could not be started");
      return "failed";
    }
  }

  /** Whatever their result: a list that could not be read is no reason to miss apps. */
  async #waitForOthers({ name, after = [] }: DirectoryTask): Promise<void> {
    // Also wait for tasks that are started later in the same turn.
    await Promise.resolve();
    const others = after.flatMap((other) => this.#active.get(other) ?? []);
    if (others.length === 0) return;
    await saveWaiting(name, `waiting for ${after.join(", ")}`);
    await Promise.allSettled(others);
  }

  async #pause(milliseconds: number): Promise<void> {
    await wait(milliseconds, undefined, { signal: this.#stopping.signal, ref: false }).catch(() => undefined);
  }
}

/** Another instance may be running the task; then its record stays unchanged. */
async function saveWaiting(name: TaskName, phase: string): Promise<void> {
  const unlessRunning = { _id: name, state: { $ne: "running" as const } };
  const changes = { state: "waiting" as const, phase, done: 0, total: null };
  await DirectoryTaskModel.updateOne(unlessRunning, { $set: changes }, { upsert: true }).catch(() => undefined);
}

async function hasSucceededSince(name: TaskName, since: Date): Promise<boolean> {
  const record = await DirectoryTaskModel.findOne({ _id: name }).lean();
  const from = Number(record?.succeededFrom ?? Number.NaN);
  // A run in the future was dated by a clock that was ahead; trusting it would postpone the task until then.
  return from >= Number(since) && from <= Date.now() + clockDifferenceMs;
}

/** How often to check whether the clock was set. */
const checkEveryMs = 60_000;

/** `directory.md` 4.2. Recomputes the times when the clock is set: those of a clock that was ahead would be late. */
export function startSchedule(runner: TaskRunner, timeZone: string | null, clock: Clock = realClock): () => void {
  const difference = () => clock.now() - clock.elapsed();
  let before = difference();
  let jobs = startJobs(runner, timeZone);
  const stop = () => {
    for (const job of jobs) job.stop();
  };
  const endLooking = clock.every(checkEveryMs, () => {
    if (Math.abs(difference() - before) < clockDifferenceMs) return;
    before = difference();
    stop();
    jobs = startJobs(runner, timeZone);
  });
  return () => {
    endLooking();
    stop();
  };
}

function startJobs(runner: TaskRunner, timeZone: string | null): readonly Cron[] {
  return runner.tasks.map(({ name, at }) => {
    const options = { unref: true, ...(timeZone === null ? {} : { timezone: timeZone }) };
    const job = new Cron(`${at.minute} ${at.hour} * * *`, options, (self) => {
      runner.ensure(name, new Date(Date.now() - clockDifferenceMs));
      void saveTask(name, { nextRunAt: self.nextRun() });
    });
    void saveTask(name, { nextRunAt: job.nextRun() });
    return job;
  });
}

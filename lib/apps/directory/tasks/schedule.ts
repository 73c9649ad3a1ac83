import { Cron } from "croner";
import { type Clock, realClock } from "@/lib/platform/db/clock";
import { saveTask } from "@/lib/apps/directory/tasks/task-run";
import type { TaskRunner } from "@/lib/apps/directory/tasks/task-runner";

/** Instances do not agree about the time to the second: a run that another one began this much earlier is the same. */
const clockDifferenceMs = 60_000;

/** How often to look whether the clock was set. */
const lookEveryMs = 60_000;

/**
 * Runs every task once a day at its time (`directory.md` 4.2). When the clock is set, the times are reckoned anew: those
 * that a clock running ahead gave would come as much later.
 *
 * @param timeZone name of the time zone; null: that of the machine
 * @returns ends it
 */
export function startSchedule(runner: TaskRunner, timeZone: string | null, clock: Clock = realClock): () => void {
  const difference = () => clock.now() - clock.elapsed();
  let before = difference();
  let jobs = startJobs(runner, timeZone);
  const stop = () => {
    for (const job of jobs) job.stop();
  };
  const endLooking = clock.every(lookEveryMs, () => {
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

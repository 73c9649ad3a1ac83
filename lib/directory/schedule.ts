import { Cron } from "croner";
import { saveTask } from "@/lib/directory/task-run";
import type { TaskRunner } from "@/lib/directory/task-runner";

/** Instances do not agree about the time to the second: a run that another one began this much earlier is the same. */
const clockDifferenceMs = 60_000;

/**
 * Runs every task once a day at its time (`directory.md` 4.2).
 *
 * @param timeZone name of the time zone; null: that of the machine
 * @returns ends it
 */
export function startSchedule(runner: TaskRunner, timeZone: string | null): () => void {
  const jobs = runner.tasks.map(({ name, at }) => {
    const options = { unref: true, ...(timeZone === null ? {} : { timezone: timeZone }) };
    const job = new Cron(`${at.minute} ${at.hour} * * *`, options, (self) => {
      runner.ensure(name, new Date(Date.now() - clockDifferenceMs));
      void saveTask(name, { nextRunAt: self.nextRun() });
    });
    void saveTask(name, { nextRunAt: job.nextRun() });
    return job;
  });
  return () => {
    for (const job of jobs) job.stop();
  };
}

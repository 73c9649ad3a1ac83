import "server-only";
import { findHeldLocks } from "@/lib/platform/db/lock";
import { lockOf, type TaskName } from "@/lib/jobs/task-names";
import { interrupted, type TaskState } from "@/lib/jobs/task-run";
import { DirectoryTaskModel } from "@/models/directory/directory-task";

export interface ShownTask extends TaskState {
  readonly name: TaskName;
}

/** If nobody holds a task's lock, it is not running, whatever its record says, because its process has ended. */
export async function listTasks(names: readonly TaskName[]): Promise<readonly ShownTask[]> {
  const held = await findHeldLocks(names.map(lockOf));
  const records = await DirectoryTaskModel.find({ _id: { $in: [...names] } }).lean();
  return names.map((name) => {
    const task = { ...untouched, ...records.find(({ _id }) => _id === name) };
    const isLost = task.state === "running" && !held.has(lockOf(name));
    return { name, ...task, ...(isLost && ({ state: "failed", lastError: interrupted } as const)) };
  });
}

const untouched: TaskState = {
  ...{ state: "waiting", phase: null, done: 0, total: null, counts: null, lastError: null, nextRunAt: null },
  ...{ startedAt: null, finishedAt: null, succeededFrom: null, succeededAt: null },
};

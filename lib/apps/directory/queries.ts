import "server-only";
import { findHeldLocks } from "@/lib/platform/db/lock";
import { lockOf, type TaskName } from "@/lib/jobs/task-names";
import { interrupted, type TaskState } from "@/lib/jobs/task-run";
import { type DirectoryTaskRecord, DirectoryTaskModel } from "@/models/directory/directory-task";

export interface ShownTask extends TaskState {
  readonly name: TaskName;
}

/** If nobody holds a task's lock, it is not running, whatever its record says, because its process has ended. */
export async function listTasks(names: readonly TaskName[]): Promise<readonly ShownTask[]> {
  const held = await findHeldLocks(names.map(lockOf));
  const records = await DirectoryTaskModel.find({ _id: { $in: [...names] } }).lean();
  return names.map((name) => {
    const task = toState(records.find(({ _id }) => _id === name));
    const isLost = task.state === "running" && !held.has(lockOf(name));
    return { name, ...task, ...(isLost && ({ state: "failed", lastError: interrupted } as const)) };
  });
}

function toState(record: DirectoryTaskRecord | undefined): TaskState {
  return {
    state: record?.state ?? "waiting",
    phase: record?.phase ?? null,
    done: record?.done ?? 0,
    total: record?.total ?? null,
    counts: (record?.counts ?? null) as TaskState["counts"],
    startedAt: record?.startedAt ?? null,
    finishedAt: record?.finishedAt ?? null,
    succeededFrom: record?.succeededFrom ?? null,
    succeededAt: record?.succeededAt ?? null,
    lastError: record?.lastError ?? null,
    nextRunAt: record?.nextRunAt ?? null,
  };
}

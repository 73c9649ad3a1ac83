import "server-only";
import { withLock } from "@/lib/db/lock";
import { lockOf, type TaskName } from "@/lib/directory/tasks/task-names";

/**
 * Runs the work of a task while nobody else on this database runs it, on schedule or on demand. Who comes second waits
 * and then does the work once more, so that every answer is about a moment after the question.
 *
 * @throws DatabaseUnavailable, and whatever `work` throws
 */
export async function runLocked<T>(task: TaskName, work: () => Promise<T>): Promise<T> {
  const done = await withLock(lockOf(task), { wait: true }, work);
  if (done === null) throw new Error("A lock that is waited for was not given.");
  return done.result;
}

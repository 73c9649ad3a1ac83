import "server-only";
import { withLock } from "@/lib/db/lock";

/** What is done by one process at a time (`directory.md` 4.2); each has a lock of its own. */
export type LockedTask =
  | "permissions"
  | "service-types"
  | "categories"
  | "languages"
  | "rpc-specification"
  | "applications"
  | "app-certificates"
  | "module-certificate";

/** A process that died holds its lock at most this long; a living one renews it. */
const ttlMs = 10 * 60_000;

/**
 * Runs a task while nobody else on this database runs the same one: a second caller waits for its turn and then runs
 * the work again, so that its answer is about a moment after it asked.
 *
 * @throws DatabaseUnavailable, and whatever `work` throws
 */
export async function runLocked<T>(task: LockedTask, work: () => Promise<T>): Promise<T> {
  const done = await withLock(`task:${task}`, { ttlMs, wait: true }, work);
  if (done === null) throw new Error("A lock that is waited for was not given.");
  return done.result;
}

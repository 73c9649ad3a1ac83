import "server-only";
import { createDirectoryClient } from "@/lib/apps/directory/client/client";
import { directoryEndpoint, rpcSpecificationSource } from "@/lib/apps/directory/client/endpoint";
import { DirectoryFailed, DirectoryRefused } from "@/lib/apps/directory/client/errors";
import { syncPermissions } from "@/lib/apps/directory/lists/list-commands";
import { silentReport } from "@/lib/platform/process/task-report";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { syncLanguages } from "@/lib/records/rpc-specification/commands";
import { SpecificationRefused } from "@/lib/records/rpc-specification/errors";
import { loadSettings } from "@/lib/platform/settings";
import { withLock } from "@/lib/platform/db/lock";
import { lockOf, type TaskName } from "@/lib/jobs/task-names";

/** `api.md` 10.1. Resolves once permissions are stored. Throws AppError 500 with the reason in `data.reason`. */
export async function updatePermissions(context: WriteContext): Promise<void> {
  const unchanged = "the stored permissions are unchanged";
  const endpoint = directoryEndpoint(loadSettings());
  if (endpoint === null) throw failed(`No app directory is configured or running; ${unchanged}`);
  const client = createDirectoryClient(endpoint);
  await orSayWhy(unchanged, () => runLocked("permissions", () => syncPermissions(context, client, silentReport)));
}

/** `api.md` 12.5; like `updatePermissions`. */
export async function updateLanguages(context: WriteContext): Promise<void> {
  const source = rpcSpecificationSource(loadSettings());
  await orSayWhy("the stored languages are unchanged", () =>
    runLocked("languages", () => syncLanguages(context, source, silentReport)),
  );
}

/** This server's own messages about another server may be shown; those of other errors may not (`api.md` 0.5). */
async function orSayWhy(unchanged: string, work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    const isOurs =
      error instanceof DirectoryFailed || error instanceof DirectoryRefused || error instanceof SpecificationRefused;
    throw isOurs ? failed(`${error.message}; ${unchanged}`, error) : error;
  }
}

/** The message of a 500 is fixed (`api.md` 0.5), so the reason is in `data`. */
function failed(reason: string, cause?: unknown): AppError {
  return new AppError("internal", undefined, { cause, data: { reason } });
}

/** A second caller waits and then repeats the work, so that no result is older than its request. */
export async function runLocked<T>(task: TaskName, work: () => Promise<T>): Promise<T> {
  const done = await withLock(lockOf(task), { wait: true }, work);
  if (done === null) throw new Error("A lock that is waited for was not given.");
  return done.result;
}

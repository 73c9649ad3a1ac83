import "server-only";
import { makeAppContainer, saveAppContainer } from "@/lib/certificates/app/app-container";
import { findGeneration } from "@/lib/certificates/generation";
import { type WriteContext } from "@/lib/db/transaction";

/**
 * Makes and stores the first certificate of an app (`directory.md` rule D13); one that was stored meanwhile is left alone,
 * and nothing happens while generation is off.
 *
 * @param options.isUrgent the app itself waits for it
 * @throws AppError, WorkerTaskError, DatabaseUnavailable
 */
export async function issueFirstCertificate(
  uuid: string,
  writer: WriteContext,
  options: { readonly isUrgent?: boolean } = {},
): Promise<void> {
  const settings = findGeneration();
  if (settings !== null) await saveAppContainer(uuid, await makeAppContainer(settings, uuid, options), writer, null);
}

import "server-only";
import { type WriteContext } from "@/lib/db/transaction";
import { queueApplication } from "@/lib/directory/application-queue";
import { applyFinalNotification } from "@/lib/directory/final-notifications";
import { noteMissedRemoval } from "@/lib/directory/missed-removals";
import { type WebhookBody } from "@/lib/directory/webhook-schema";

/**
 * What became of a notification. `queued`: stored, to be worked off soon; `done`: the change was made; `unchanged`: it
 * had been made before; `ignored`: nothing this server acts on; `unnamed`: it would act, but no app is named.
 */
export type WebhookOutcome = "queued" | "done" | "unchanged" | "ignored" | "unnamed";

/**
 * Takes a notification of the directory in (`api.md` section 8): when this returns, it is stored durably or was nothing
 * to store. The same notification twice does no harm.
 *
 * @throws DatabaseUnavailable: not taken in, the directory is to send it again
 */
export async function saveNotification(context: WriteContext, body: WebhookBody): Promise<WebhookOutcome> {
  const { entity, action, uuid } = body;
  const step = entity === "application" ? steps.get(action ?? "") : undefined;
  if (step === undefined) return "ignored";
  return uuid === undefined ? "unnamed" : step(context, uuid);
}

const steps = new Map<string, (context: WriteContext, uuid: string) => Promise<WebhookOutcome>>([
  ["UPSERT", queueNotified],
  ["DELETE", deleteNotified],
  ["BLACKLIST", blacklistNotified],
]);

/** What the directory says about the app is recorded when it is read; the notification itself says nothing. */
async function queueNotified(_: WriteContext, uuid: string): Promise<WebhookOutcome> {
  await queueApplication(uuid);
  return "queued";
}

async function deleteNotified(context: WriteContext, uuid: string): Promise<WebhookOutcome> {
  if (await applyFinalNotification(context, "DELETE", uuid)) return "done";
  // A synchronisation may be about to store what it read before the app was deleted: it is told, then looked at again.
  await noteMissedRemoval();
  return (await applyFinalNotification(context, "DELETE", uuid)) ? "done" : "unchanged";
}

async function blacklistNotified(context: WriteContext, uuid: string): Promise<WebhookOutcome> {
  return (await applyFinalNotification(context, "BLACKLIST", uuid)) ? "done" : "unchanged";
}

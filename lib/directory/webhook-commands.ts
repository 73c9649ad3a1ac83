import "server-only";
import { blacklistApplication, deleteApplication } from "@/lib/applications/removal";
import { queueApplication, removeJob } from "@/lib/directory/application-queue";
import { noteMissedRemoval } from "@/lib/directory/missed-removals";
import { type WebhookBody } from "@/lib/directory/webhook-schema";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";

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
  ["BLACKLIST", (context, uuid) => apply(context, uuid, blacklistApplication)],
]);

/** Written by a statement of its own: a thousand notifications at once must not wait for each other's transactions. */
async function queueNotified(_: WriteContext, uuid: string): Promise<WebhookOutcome> {
  await queueApplication(uuid);
  return "queued";
}

async function deleteNotified(context: WriteContext, uuid: string): Promise<WebhookOutcome> {
  const outcome = await apply(context, uuid, deleteApplication);
  if (outcome === "done") return outcome;
  // A synchronisation may be about to store what it read before the app was deleted: it is told, then looked at again.
  await noteMissedRemoval();
  return apply(context, uuid, deleteApplication);
}

/** The last word about an app ends the work that waits for it (rule Q4). */
function apply(
  context: WriteContext,
  uuid: string,
  change: (tx: Transaction, uuid: string) => Promise<boolean>,
): Promise<WebhookOutcome> {
  return inTransaction(context, async (tx) => {
    await removeJob(tx, uuid);
    if (await change(tx, uuid)) return "done";
    tx.keepRevision();
    return "unchanged";
  });
}

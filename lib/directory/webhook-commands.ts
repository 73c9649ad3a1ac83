import "server-only";
import { blacklistApplication, deleteApplication } from "@/lib/applications/removal";
import { type WebhookBody } from "@/lib/directory/webhook-schema";
import { inTransaction, type Transaction, type WriteContext } from "@/lib/db/transaction";
import { WebhookJobModel } from "@/models/webhook-job";

/**
 * What became of a notification. `queued`: stored, to be worked off soon; `done`: the change was made; `unchanged`: it
 * had been made before; `ignored`: nothing this server acts on; `unnamed`: it would act, but no app is named.
 */
export type WebhookOutcome = "queued" | "done" | "unchanged" | "ignored" | "unnamed";

const steps = new Map<string, (tx: Transaction, uuid: string) => Promise<WebhookOutcome>>([
  ["UPSERT", queueApplication],
  ["DELETE", async (tx, uuid) => ((await deleteApplication(tx, uuid)) ? "done" : "unchanged")],
  ["BLACKLIST", async (tx, uuid) => ((await blacklistApplication(tx, uuid)) ? "done" : "unchanged")],
]);

/**
 * Takes a notification of the directory in (`api.md` section 8): when this returns, it is stored durably or was nothing
 * to store. The same notification twice does no harm.
 *
 * @throws DatabaseUnavailable: not taken in, the directory is to send it again
 */
export async function saveNotification(context: WriteContext, body: WebhookBody): Promise<WebhookOutcome> {
  const step = body.entity === "application" ? steps.get(body.action ?? "") : undefined;
  if (step === undefined) return "ignored";
  const { uuid } = body;
  if (uuid === undefined) return "unnamed";
  return inTransaction(context, async (tx) => {
    const outcome = await step(tx, uuid);
    if (outcome !== "done") tx.keepRevision();
    return outcome;
  });
}

/** One element per app (rule Q1); a new notification replaces a waiting one and is due at once (rule Q6). */
async function queueApplication(tx: Transaction, uuid: string): Promise<WebhookOutcome> {
  await WebhookJobModel.updateOne(
    { _id: uuid },
    { $set: { attempts: 0, dueAt: tx.now, lastError: null }, $inc: { deliveries: 1 } },
    { session: tx.session, upsert: true },
  );
  tx.record({ action: "webhook.queue", target: `app:${uuid}` });
  return "queued";
}

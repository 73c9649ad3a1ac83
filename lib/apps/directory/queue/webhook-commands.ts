import "server-only";
import { applicationJobs, findLastError, queueApplication } from "@/lib/apps/directory/queue/application-queue";
import { findWorker, type Worker } from "@/lib/jobs/worker";
import { within } from "@/lib/platform/async";
import { z } from "zod";

/** `queued`: stored, processed soon; `ignored`: of no interest to this server; `unnamed`: names no app. */
export type WebhookOutcome = "queued" | "ignored" | "unnamed";

const actions: ReadonlySet<string> = new Set(["UPSERT", "DELETE", "BLACKLIST"]);

/**
 * `api.md` section 8. Once this resolves, the notification is on disk. Its key is not secret, so it is only a hint:
 * before any change, the server asks the app directory (`directory.md` 4.3). After DatabaseUnavailable, the app
 * directory should send it again.
 */
export async function saveNotification({ entity, action = "", uuid }: WebhookBody): Promise<WebhookOutcome> {
  if (entity !== "application" || !actions.has(action)) return "ignored";
  if (uuid === undefined) return "unnamed";
  await queueApplication(uuid, action === "DELETE");
  return "queued";
}

/** The app directory waits 5 s for a response; this leaves time for the network (`api.md` section 8). */
const timeoutMs = 3_000;

/** Further callers do not wait, because all responses would be late. */
const maxWaiting = 100;
let waiting = 0;

/** Waits as long as the sender can; `startedAt` is from `performance.now()`. False: continues in the background. */
export async function isAppliedSoon(uuid: string | undefined, startedAt: number): Promise<boolean> {
  const worker = findWorker(applicationJobs);
  const left = timeoutMs - (performance.now() - startedAt);
  if (worker === null || uuid === undefined || left <= 0 || waiting >= maxWaiting) return false;
  waiting++;
  worker.wake();
  const applying = isApplied(uuid, worker, startedAt + timeoutMs).finally(() => waiting--);
  return within(left, applying, () => false);
}

/** Never rejects. */
async function isApplied(uuid: string, worker: Worker, end: number): Promise<boolean> {
  while (worker.isReady && performance.now() < end) {
    // Read before the look, so that a batch that ends during it is not missed.
    const nextEnd = worker.nextEnd();
    const lastError = await findLastError(uuid).catch(() => "unknown");
    if (lastError !== null) return lastError === undefined;
    await nextEnd;
  }
  return false;
}

const text = z.string().optional().catch(undefined);

/** `api.md` section 8. Ignores unknown content, because the app directory may announce more than this server needs. */
export const webhookBody = z.object({
  entity: text,
  action: text,
  uuid: z.string().min(1).max(36).optional().catch(undefined),
});
type WebhookBody = z.output<typeof webhookBody>;

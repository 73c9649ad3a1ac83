import "server-only";
import { queueApplication } from "@/lib/apps/directory/queue/application-queue";
import { findApplicationJobs } from "@/lib/apps/directory/queue/workers";
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

/** Waits as long as the sender can; `startedAt` is from `performance.now()`. False: continues in the background. */
export async function isAppliedSoon(uuid: string | undefined, startedAt: number): Promise<boolean> {
  const jobs = findApplicationJobs();
  const left = timeoutMs - (performance.now() - startedAt);
  if (jobs === null || uuid === undefined || left <= 0) return false;
  return (await within(left, jobs.soon(uuid), () => "waiting")) === "applied";
}

const text = z.string().optional().catch(undefined);

/** `api.md` section 8. Ignores unknown content, because the app directory may announce more than this server needs. */
export const webhookBody = z.object({
  entity: text,
  action: text,
  uuid: z.string().min(1).max(36).optional().catch(undefined),
});
type WebhookBody = z.output<typeof webhookBody>;

import "server-only";
import { queueApplication } from "@/lib/apps/directory/queue/application-queue";
import { findApplicationJobs } from "@/lib/apps/directory/queue/workers";
import { within } from "@/lib/platform/async";
import { z } from "zod";

/**
 * The outcome of a notification. `queued`: stored and processed soon; `ignored`: of no interest to this server;
 * `unnamed`: it names no app.
 */
export type WebhookOutcome = "queued" | "ignored" | "unnamed";

/** The actions that a notification may announce. */
const actions: ReadonlySet<string> = new Set(["UPSERT", "DELETE", "BLACKLIST"]);

/**
 * Accepts a notification of the app directory (`api.md` section 8). Once this resolves, it is stored durably, unless
 * there is nothing to store. Its key is not secret, so a notification is only a hint: before any change, the server asks
 * the app directory about the app (`directory.md` 4.3). Repeated notifications are harmless.
 *
 * @throws DatabaseUnavailable: not accepted, the app directory should send it again
 */
export async function saveNotification({ entity, action = "", uuid }: WebhookBody): Promise<WebhookOutcome> {
  if (entity !== "application" || !actions.has(action)) return "ignored";
  if (uuid === undefined) return "unnamed";
  await queueApplication(uuid, action === "DELETE");
  return "queued";
}

/** The app directory waits 5 s for a response; this leaves time for the network (`api.md` section 8). */
const timeoutMs = 3_000;

/**
 * Processes a queued app now, and waits for it as long as the sender of the notification can wait.
 *
 * @param startedAt when the request came, from `performance.now()`
 * @returns whether the app is up to date; otherwise the work continues in the background
 */
export async function isAppliedSoon(uuid: string | undefined, startedAt: number): Promise<boolean> {
  const jobs = findApplicationJobs();
  const left = timeoutMs - (performance.now() - startedAt);
  if (jobs === null || uuid === undefined || left <= 0) return false;
  return (await within(left, jobs.soon(uuid), () => "waiting")) === "applied";
}

const text = z.string().optional().catch(undefined);

/**
 * Body of `POST webhook` (`api.md` section 8). Nothing in it is an error: unknown content is ignored, because the app
 * directory may start to announce more than this server needs.
 */
export const webhookBody = z.object({
  entity: text,
  action: text,
  uuid: z.string().min(1).max(36).optional().catch(undefined),
});
type WebhookBody = z.output<typeof webhookBody>;

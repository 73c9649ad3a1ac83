import "server-only";
import { queueApplication } from "@/lib/apps/directory/queue/application-queue";
import { findApplicationJobs } from "@/lib/apps/directory/queue/workers";
import { within } from "@/lib/platform/async";
import { z } from "zod";

/**
 * What became of a notification. `queued`: stored, to be worked off soon; `ignored`: nothing this server acts on;
 * `unnamed`: it would act, but no app is named.
 */
export type WebhookOutcome = "queued" | "ignored" | "unnamed";

/** What a notification may announce. */
const actions: ReadonlySet<string> = new Set(["UPSERT", "DELETE", "BLACKLIST"]);

/**
 * Takes a notification of the directory in (`api.md` section 8): when this returns, it is stored durably or was nothing
 * to store. Whatever it announces is a hint, because its key is no secret: the directory is asked about the app before
 * anything is changed (`directory.md` 4.3). The same notification twice does no harm.
 *
 * @throws DatabaseUnavailable: not taken in, the directory is to send it again
 */
export async function saveNotification({ entity, action = "", uuid }: WebhookBody): Promise<WebhookOutcome> {
  if (entity !== "application" || !actions.has(action)) return "ignored";
  if (uuid === undefined) return "unnamed";
  await queueApplication(uuid, action === "DELETE");
  return "queued";
}

/** The directory waits 5 s for an answer; this leaves room for the way there and back (`api.md` section 8). */
const timeoutMs = 3_000;

/**
 * Has a queued app worked off now, and waits for it as long as the sender of the notification can be kept waiting.
 *
 * @param startedAt when the request came, as `performance.now()` tells it
 * @returns whether what the directory says is stored; if not, the work goes on in the background
 */
export async function isAppliedSoon(uuid: string | undefined, startedAt: number): Promise<boolean> {
  const jobs = findApplicationJobs();
  const left = timeoutMs - (performance.now() - startedAt);
  if (jobs === null || uuid === undefined || left <= 0) return false;
  return (await within(left, jobs.soon(uuid), () => "waiting")) === "applied";
}

const text = z.string().optional().catch(undefined);

/**
 * Body of `POST webhook` (`api.md` section 8). Nothing in it is an error: what is not understood is ignored, because the
 * directory may learn to tell more than this server wants to know.
 */
export const webhookBody = z.object({
  entity: text,
  action: text,
  uuid: z.string().min(1).max(36).optional().catch(undefined),
});
type WebhookBody = z.output<typeof webhookBody>;

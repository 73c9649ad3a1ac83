import "server-only";
import { findApplicationJobs } from "@/lib/directory/queue/workers";
import { within } from "@/lib/waits";

/** The directory waits 5 s for an answer; this leaves room for the way there and back (`api.md` section 8). */
const patienceMs = 3_000;

/**
 * Has a queued app worked off now, and waits for it as long as the sender of the notification can be kept waiting.
 *
 * @param startedAt when the request came, as `performance.now()` tells it
 * @returns whether what the directory says is stored; if not, the work goes on in the background
 */
export async function isAppliedSoon(uuid: string | undefined, startedAt: number): Promise<boolean> {
  const jobs = findApplicationJobs();
  const left = patienceMs - (performance.now() - startedAt);
  if (jobs === null || uuid === undefined || left <= 0) return false;
  return (await within(left, jobs.soon(uuid), () => "waiting")) === "applied";
}

import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { within } from "@/lib/platform/async";

/**
 * Sends a message to a worker thread that has nothing else to do, and gives its answer.
 *
 * @throws Error when the worker fails or ends instead, or takes too long. Nobody knows what state it is in then
 */
export async function askWorker(worker: Worker, message: unknown, timeoutMs: number): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  // An "error" event rejects both. Its text may quote what was sent, so nobody hears of it.
  const ended = once(worker, "exit", { signal }).then(() => null);
  const answered = Promise.race([once(worker, "message", { signal }), ended]).catch(() => null);
  try {
    worker.postMessage(message);
    const answer: unknown[] | null = await within(timeoutMs, answered, () => null);
    if (answer === null) throw new Error("the worker thread failed, ended or did not answer in time");
    return answer[0];
  } finally {
    over.abort();
  }
}

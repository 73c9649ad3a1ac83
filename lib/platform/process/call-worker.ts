import { once } from "node:events";
import type { Worker } from "node:worker_threads";
import { within } from "@/lib/platform/async";

/** Sends a message to an idle worker thread and returns its answer. Throws if it fails, ends or takes too long. */
export async function callWorker(worker: Worker, message: unknown, timeoutMs: number): Promise<unknown> {
  const over = new AbortController();
  const { signal } = over;
  // An "error" event rejects both. Its text may quote the message, so it is discarded.
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

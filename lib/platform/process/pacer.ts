import { setImmediate } from "node:timers/promises";

/**
 * Makes long work give way to waiting requests: awaiting the returned function lets the event loop turn once more than
 * `sliceMs` milliseconds have passed since it last did.
 */
export function createPacer(sliceMs = 2): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await setImmediate();
    since = performance.now();
  };
}

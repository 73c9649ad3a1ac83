import { setImmediate } from "node:timers/promises";

/** Lets long work yield: awaiting the result gives the event loop a turn if `sliceMs` milliseconds have passed. */
export function createPacer(sliceMs = 2): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await setImmediate();
    since = performance.now();
  };
}

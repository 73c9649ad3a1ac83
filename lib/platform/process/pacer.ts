import { setImmediate } from "node:timers/promises";

/** Makes long work give way: awaiting the result lets the event loop turn once `sliceMs` milliseconds have passed. */
export function createPacer(sliceMs = 2): () => Promise<void> {
  let since = performance.now();
  return async () => {
    if (performance.now() - since < sliceMs) return;
    await setImmediate();
    since = performance.now();
  };
}

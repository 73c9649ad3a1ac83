import { createHash } from "node:crypto";

/** Seconds that the piece of work below takes on the machine for which the limits are written. */
const usualSeconds = 0.25;

/** How much longer this machine takes, at least 1; measured once for a run, in the process that starts the others. */
const slowness = Number((process.env.TEST_SLOWNESS ??= String(measure())));

function measure() {
  const bytes = Buffer.alloc(1_000_000);
  const start = performance.now();
  for (let round = 0; round < 400; round++) createHash("sha256").update(bytes).digest();
  return Math.max(1, (performance.now() - start) / 1000 / usualSeconds);
}

/**
 * A limit that only ends a hang. It grows with what this machine takes for a fixed piece of work, so that a slow or busy one
 * does not reach it.
 *
 * @param {number} seconds many times what the slowest test needs on a usual machine
 * @returns {number} milliseconds
 */
export const hangMs = (seconds) => Math.round(seconds * 1000 * slowness);

/** For `vi.waitFor` and `expect.poll` where the first look may come at once. */
export const patiently = { timeout: hangMs(120), interval: 5 };

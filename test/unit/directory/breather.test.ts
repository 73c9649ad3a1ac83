import { setTimeout as wait } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { createBreather } from "@/lib/directory/breather";

/** Keeps the event loop at work. */
function work(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

/** How long the breather waits, in milliseconds. */
async function measure(breathe: () => Promise<void>): Promise<number> {
  const start = performance.now();
  await breathe();
  return performance.now() - start;
}

describe("a long task that leaves room for others", () => {
  it("waits for five times as long as it worked when the event loop had no free moment", async () => {
    await wait(1);
    const breathe = createBreather();
    work(200);
    const waited = await measure(breathe);
    expect(waited).toBeGreaterThan(400);
    // Measured anew from here.
    await wait(100);
    expect(await measure(breathe)).toBeLessThan(waited);
  });

  it("does not wait on an idle server", async () => {
    await wait(1);
    const breathe = createBreather();
    await wait(300);
    // A busy machine may have stopped this process meanwhile, but not for a fifth of the time at work.
    expect(await measure(breathe)).toBeLessThan(150);
  });
});

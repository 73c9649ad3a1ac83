import { EventEmitter } from "node:events";
import { describe, expect, it } from "vitest";
import { createWaiter } from "@/lib/exchange/cli/verifying";

const create = () => {
  const source = new EventEmitter();
  return { source, waiter: createWaiter(source as unknown as NodeJS.Process) };
};

describe("X8: the time between two proofs", () => {
  it("ends by itself, and the next proof is due", async () => {
    const { waiter } = create();
    expect(await waiter.wait(1)).toBe(true);
    waiter.stop();
  });

  it.each(["SIGINT", "SIGTERM"])("ends on %s for good, while waiting or before", async (signal) => {
    const { source, waiter } = create();
    const waiting = waiter.wait(3_600_000);
    source.emit(signal);
    expect(await waiting).toBe(false);
    expect(await waiter.wait(3_600_000)).toBe(false);
    waiter.stop();
    expect(source.listenerCount(signal)).toBe(0);
  });
});

import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { onMain } from "@/lib/platform/process/channel";
import { followServed, noteCommitted, servedRevision, whenServed } from "@/lib/platform/process/served";
import { whenFollowed } from "@/lib/policy/status";
import { type Services, shareServices } from "@/lib/policy/services";

let serve: (revision: number | null) => void = () => undefined;
const on = ((_kind: string, listener: (message: { kind: "served"; revision: number | null }) => void) => {
  serve = (revision) => listener({ kind: "served", revision });
  return () => undefined;
}) as typeof onMain;
let forget: () => void;

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance"] });
  forget = followServed(on);
});
afterEach(() => {
  forget();
  vi.useRealTimers();
});

const outcomeOf = async (waiting: Promise<unknown>) => {
  await vi.advanceTimersByTimeAsync(0);
  return Promise.race([waiting, Promise.resolve("waiting")]);
};

describe("N5: served means by all vehicle workers", () => {
  it("nobody waits without vehicle workers, nor for what they serve", async () => {
    expect(servedRevision()).toBeNull();
    expect(await whenServed(9, 2000)).toBe(true);
    serve(9);
    expect(servedRevision()).toBe(9);
    expect(await whenServed(9, 2000)).toBe(true);
    expect(await whenServed(8, 2000)).toBe(true);
  });

  it("waits until the last vehicle worker has got there, or beyond, or all have gone", async () => {
    serve(7);
    const [eight, nine, ten] = [whenServed(8, 2000), whenServed(9, 2000), whenServed(10, 2000)];
    serve(8);
    expect([await outcomeOf(eight), await outcomeOf(nine)]).toEqual([true, "waiting"]);
    serve(9);
    expect([await outcomeOf(nine), await outcomeOf(ten)]).toEqual([true, "waiting"]);
    serve(null);
    expect(await outcomeOf(ten)).toBe(true);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("waits no longer than it is told, and for a revision once", async () => {
    serve(7);
    const first = whenServed(8, 2000);
    await vi.advanceTimersByTimeAsync(1500);
    const second = whenServed(8, 2000);
    expect([await outcomeOf(first), await outcomeOf(second)]).toEqual(["waiting", "waiting"]);
    await vi.advanceTimersByTimeAsync(500);
    expect([await outcomeOf(first), await outcomeOf(second)]).toEqual([false, false]);
    expect(await whenServed(8, 2000)).toBe(false);
    const next = whenServed(9, 2000);
    expect(await outcomeOf(next)).toBe("waiting");
    serve(9);
    expect(await outcomeOf(next)).toBe(true);
  });
});

it("O3a: a change is measured from when this process learns of it until the last vehicle worker serves it", async () => {
  forget();
  const seconds: number[] = [];
  forget = followServed(on, (milliseconds) => seconds.push(milliseconds / 1000));
  // Without vehicle workers, nobody serves it.
  noteCommitted(7);
  serve(7);
  for (const revision of [7, 8, 9]) {
    noteCommitted(revision);
    await vi.advanceTimersByTimeAsync(1000);
  }
  serve(8);
  expect(seconds).toEqual([2]);
  await vi.advanceTimersByTimeAsync(500);
  serve(9);
  serve(10);
  expect(seconds).toEqual([2, 1.5]);
  // With the last vehicle worker, everything that waits for it goes.
  noteCommitted(11);
  serve(null);
  serve(11);
  expect(seconds).toEqual([2, 1.5]);
});

describe("N5: whoever was answered sees it done", () => {
  const share = (services: unknown) => shareServices(services as Services | null);
  const aRuntime = (milliseconds: number, revision: number) => ({
    snapshot: { revision },
    caughtUp: (timeoutMs: number) =>
      new Promise((resolve) => {
        setTimeout(() => resolve(milliseconds <= timeoutMs), Math.min(milliseconds, timeoutMs));
      }),
  });
  afterEach(() => {
    share(null);
  });

  it.each([
    ["here first, then on all vehicle workers, within two seconds in all", 1500, 7, 2000],
    ["at once when the vehicle workers are there before this process", 100, 8, 100],
  ])("%s", async (_, milliseconds, served, expected) => {
    share({ runtime: aRuntime(milliseconds, 8) });
    serve(served);
    const done = vi.fn();
    void whenFollowed().then(done);
    await vi.advanceTimersByTimeAsync(expected - 1);
    expect(done).not.toHaveBeenCalled();
    await vi.advanceTimersByTimeAsync(2);
    expect(done).toHaveBeenCalledOnce();
  });

  it("without vehicle workers this process alone decides; without a policy there is nothing to wait for", async () => {
    serve(null);
    for (const runtime of [aRuntime(100, 8), { ...aRuntime(100, 8), snapshot: null }]) {
      share({ runtime });
      const done = vi.fn();
      void whenFollowed().then(done);
      await vi.advanceTimersByTimeAsync(100);
      expect(done).toHaveBeenCalledOnce();
    }
    share(null);
    await whenFollowed();
  });
});

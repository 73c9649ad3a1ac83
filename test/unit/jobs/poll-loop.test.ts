import { afterEach, describe, expect, it, vi } from "vitest";
import { DatabaseUnavailable } from "@/lib/platform/db/connection/errors";
import { startPollLoop, type PollLoop } from "@/lib/jobs/poll-loop";
import { log } from "@/lib/platform/log";

let loop: PollLoop | null = null;
afterEach(async () => {
  await loop?.stop();
  vi.restoreAllMocks();
});
const looks = (look: ReturnType<typeof vi.fn>, count: number) =>
  expect.poll(() => look.mock.calls.length).toBeGreaterThanOrEqual(count);

describe("a loop that looks for work", () => {
  it("looks at once and again after every pause", async () => {
    const look = vi.fn(() => Promise.resolve(false));
    loop = startPollLoop("test", 10, look);
    expect(look).toHaveBeenCalledTimes(1);
    await looks(look, 3);
  });

  it("goes on without a pause while there is more", async () => {
    let left = 50;
    const look = vi.fn(() => Promise.resolve(--left > 0));
    loop = startPollLoop("test", 600_000, look);
    await looks(look, 50);
  });

  it("looks when it is woken, also by a call during a look", async () => {
    const look = vi.fn(() => {
      if (look.mock.calls.length === 1) loop?.wake();
      return new Promise<boolean>((resolve) => setTimeout(() => resolve(false), 5));
    });
    loop = startPollLoop("test", 600_000, look);
    loop.wake();
    await looks(look, 2);
    loop.wake();
    await looks(look, 3);
  });

  it("never looks twice at the same time, and not after a stop", async () => {
    let now = 0;
    const look = vi.fn(async () => {
      expect(++now).toBe(1);
      await new Promise((resolve) => setTimeout(resolve, 2));
      now--;
      return false;
    });
    loop = startPollLoop("test", 1, look);
    for (let call = 0; call < 20; call++) loop.wake();
    await looks(look, 5);
    await loop.stop();
    expect(now).toBe(0);
    const before = look.mock.calls.length;
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(look).toHaveBeenCalledTimes(before);
  });

  it("survives failures: every bug is told, a database that is away once", async () => {
    const warn = vi.spyOn(log, "warn").mockImplementation(() => undefined);
    const failure = vi.spyOn(log, "error").mockImplementation(() => undefined);
    const [away, bug] = [new DatabaseUnavailable("away"), new Error("bug")];
    const failures = [away, away, bug, bug];
    const look = vi.fn(() => {
      const next = failures.shift();
      return next === undefined ? Promise.resolve(false) : Promise.reject(next);
    });
    loop = startPollLoop("test", 1, look);
    await looks(look, 6);
    expect(warn).toHaveBeenCalledTimes(1);
    expect(failure).toHaveBeenCalledTimes(2);
  });
});

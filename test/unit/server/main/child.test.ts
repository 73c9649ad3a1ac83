import { fork } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, it, onTestFinished, vi } from "vitest";
import { Backoff } from "@/server/main/backoff";
import { Child, type ChildOptions } from "@/server/main/child";
import type { ToMain } from "@/lib/platform/process/messages";
import { patiently as timeout } from "@/test/support/patience.mjs";
import { temporaryFolder } from "@/test/support/temporary-folder";

/** `failing` starts come before those that succeed. */
function aChild(what: string, options: Partial<ChildOptions> = {}, failing: ChildOptions["start"][] = []) {
  const file = path.join(temporaryFolder(), "starts");
  const lines: { readonly message: string; readonly details: object }[] = [];
  const said: ToMain[] = [];
  const log = (details: object, message: string) => lines.push({ details, message });
  const onGiveUp = vi.fn<(problems: readonly string[]) => void>();
  const child = new Child({
    name: "vehicle-worker-1",
    start: () => failing.shift()?.() ?? fork("test/support/child-program.mjs", [what, file], { execArgv: [] }),
    onMessage: (message) => said.push(message),
    onHello: () => undefined,
    onEnd: () => undefined,
    onGiveUp,
    mayOverlap: false,
    log: { info: log, warn: log, error: log },
    ...options,
  });
  onTestFinished(() => child.destroy());
  child.start();
  const pids = () => (existsSync(file) ? readFileSync(file, "utf8").trim().split("\n").map(Number) : []);
  return { child, lines, said, onGiveUp, pids };
}

const isRunning = (pid: number) =>
  existsSync(`/proc/${pid}`) && !/\) Z /.test(readFileSync(`/proc/${pid}/stat`, "utf8"));

it("N1: waits nothing at first, then 1, 2, 4 … 30 s; one that was of use for a while begins anew", () => {
  const backoff = new Backoff();
  expect(Array.from({ length: 8 }, () => backoff.next(100))).toEqual([
    0, 1000, 2000, 4000, 8000, 16_000, 30_000, 30_000,
  ]);
  expect(backoff.next(60_000)).toBe(0);
  expect(backoff.next(null)).toBe(1000);
  expect(backoff.failedStarts).toBe(1);
  backoff.next(10);
  expect(backoff.failedStarts).toBe(0);
});

it("N1: what dies is started again at once, with a line", async () => {
  const { child, lines, pids } = aChild("works");
  await expect.poll(() => child.isReady, timeout).toBe(true);
  process.kill(pids()[0] ?? 0, "SIGKILL");
  await expect.poll(() => pids(), timeout).toHaveLength(2);
  await expect.poll(() => child.isReady, timeout).toBe(true);
  expect(child.restarts).toBe(1);
  expect(lines).toEqual([
    {
      message: "a process ended unexpectedly and is started again",
      details: { child: "vehicle-worker-1", code: null, signal: "SIGKILL", again_in_seconds: 0 },
    },
  ]);
});

it("N1: one that the system does not start, for want of descriptors or processes, is tried again", async () => {
  const throws = () => {
    throw new Error("spawn ENOMEM");
  };
  const isMissing = () => fork("test/support/child-program.mjs", { execPath: "/nowhere" });
  const { child, lines, pids } = aChild("works", { backoff: new Backoff(1) }, [throws, isMissing]);
  await expect.poll(() => child.isReady, timeout).toBe(true);
  expect([child.restarts, pids().length]).toEqual([2, 1]);
  expect(lines.filter(({ message }) => message === "a process failed")).toHaveLength(2);
});

it("N1: ten starts in a row that fail are enough", async () => {
  const { onGiveUp, pids } = aChild("fails", { backoff: new Backoff(1) });
  await expect.poll(() => onGiveUp, timeout).toHaveBeenCalledOnce();
  expect(pids()).toHaveLength(10);
  expect(onGiveUp).toHaveBeenCalledWith(["The process vehicle-worker-1 has failed 10 times in a row at its start"]);
});

it("N1: one that can never work as it is configured is not tried again", async () => {
  const { onGiveUp, pids, lines } = aChild("refuses");
  await expect.poll(() => onGiveUp, timeout).toHaveBeenCalledWith(["It cannot be."]);
  await expect.poll(() => isRunning(pids()[0] ?? 0), timeout).toBe(false);
  expect([pids().length, lines]).toEqual([1, []]);
});

it("B2: a console that refuses its database just after it was ready for the first time is not tried again", async () => {
  const { onGiveUp, pids } = aChild("refuses late");
  await expect.poll(() => onGiveUp, timeout).toHaveBeenCalledWith(["It cannot be."]);
  await expect.poll(() => isRunning(pids()[0] ?? 0), timeout).toBe(false);
  expect(pids()).toHaveLength(1);
});

it("N1: one that has worked is tried again, whatever it refuses later", async () => {
  const { onGiveUp, pids, lines } = aChild("refuses again", { backoff: new Backoff(1) });
  await expect.poll(() => pids().length, timeout).toBeGreaterThan(2);
  expect(onGiveUp).not.toHaveBeenCalled();
  // F5: why is in the log each time.
  const details = { child: "vehicle-worker-1", problems: ["It cannot be."] };
  expect(lines).toContainEqual({ message: "a process cannot start", details });
});

it("F5: while vehicles are answered all the same, it is tried for ever", async () => {
  let isDispensable = true;
  const { onGiveUp, pids } = aChild("fails", { backoff: new Backoff(1), isDispensable: () => isDispensable });
  await expect.poll(() => pids().length, timeout).toBeGreaterThan(11);
  expect(onGiveUp).not.toHaveBeenCalled();
  isDispensable = false;
  await expect.poll(() => onGiveUp, timeout).toHaveBeenCalledOnce();
});

const short = { ms: 300, startingMs: 600 };

it.each(["hangs", "spins"])(
  "F10: one that %s before its first sign of life is ended and started again",
  async (what) => {
    const { child, pids, lines } = aChild(what, { longestSilence: short });
    await vi.waitFor(() => {
      child.tick();
      expect(child.isReady).toBe(true);
    }, timeout);
    expect([pids().length, lines[0]?.message]).toEqual([2, "its event loop has not run for 0.6 s: restarting it"]);
  },
);

it("F8: one that is stopped is ended, although it takes no processor time", async () => {
  const { child, pids } = aChild("works", { longestSilence: { ms: 300, startingMs: 60_000 } });
  await expect.poll(() => child.isReady, timeout).toBe(true);
  const [first = 0] = pids();
  process.kill(first, "SIGSTOP");
  await vi.waitFor(() => {
    child.tick();
    expect(isRunning(first)).toBe(false);
  }, timeout);
});

it("F4: one that is replaced ends after another one has taken its place, and finishes what it has", async () => {
  const { child, pids, lines } = aChild("grows", { mayOverlap: true });
  await expect.poll(() => child.memory, timeout).toBe(900 * 1024 ** 2);
  const [first = 0] = pids();
  child.renew("it takes 900 MiB", 50, 60_000);
  const seen: boolean[] = [];
  await vi.waitFor(() => {
    if (!child.isReady) seen.push(isRunning(first));
    expect(child.isBeingReplaced).toBe(false);
  }, timeout);
  expect(seen).not.toContain(false);
  // The old one was told to take no more connections before it ended by itself.
  expect(pids().slice(2)).toEqual([0]);
  expect([child.isReady, child.restarts, isRunning(first), child.memory]).toEqual([true, 1, false, 1024 ** 2]);
  expect(lines).toEqual([{ message: "it takes 900 MiB", details: { child: "vehicle-worker-1" } }]);
  expect(await child.stop(60_000)).toBe(true);
});

it("N2, N4: one whose event loop stands is replaced, the new one first", async () => {
  const { child, lines, pids } = aChild("sticks", {
    mayOverlap: true,
    longestSilence: { ms: 300, startingMs: 60_000 },
  });
  await expect.poll(() => child.isReady, timeout).toBe(true);
  const seen: boolean[] = [];
  await vi.waitFor(async () => {
    child.tick();
    const [first = 0, second = 0] = pids();
    if (second > 0 && !child.isReady) seen.push(isRunning(first));
    await new Promise((done) => setTimeout(done, 100));
    expect(second > 0 && child.isReady && !isRunning(first)).toBe(true);
  }, timeout);
  expect(seen).not.toContain(false);
  expect([child.restarts, lines.map(({ message }) => message)]).toEqual([
    1,
    ["its event loop has not run for 0.3 s: restarting it"],
  ]);
});

it("N12: a stop tells whether everything was finished; what does not end is ended", async () => {
  for (const [what, isFinished] of [
    ["works", true],
    ["unfinished", false],
    ["deaf", false],
  ] as const) {
    const { child, pids } = aChild(what);
    await expect.poll(() => child.isReady, timeout).toBe(true);
    expect([what, await child.stop(1_000)]).toEqual([what, isFinished]);
    expect([pids().length, isRunning(pids()[0] ?? 0)]).toEqual([1, false]);
  }
});

import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it, onTestFinished, vi } from "vitest";
import { Silence } from "@/server/main/silence";
import { isOtherProcess, readThreadUse, type ThreadUse, usableMs } from "@/lib/platform/process/run-time";

const used = (state: string, ranMs: number, waitedMs = 0): ThreadUse => ({ state, ranMs, waitedMs });

it.each([
  ["spins on a machine that does nothing else", 1000, used("R", 1000)],
  ["spins, and gets a twentieth of a processor", 50, used("R", 50, 950)],
  ["waits for its turn, and has got none", 0, used("R", 0)],
  ["was given little, and happened to wait at the end", 100, used("S", 50, 900)],
  ["is stopped", 1000, used("T", 0)],
  ["waits for what never comes", 1000, used("S", 0)],
  ["waits for a disk", 20, used("D", 20)],
  ["has a clock that runs ahead", 1000, used("R", 1400)],
])("F8: of a second, one that %s could have used %i ms", (_what, expected, now) => {
  expect(usableMs(1000, used("S", 0), now)).toBe(expected);
});

it("F8: counts the clock where the system does not tell", () => {
  expect([usableMs(1000, null, null), usableMs(1000, used("S", 5), null)]).toEqual([1000, 1000]);
  expect(readThreadUse(2 ** 30)).toBeNull();
});

it.skipIf(process.platform !== "linux")("F8: reads it from the system", async () => {
  const child = spawn(process.execPath, ["-e", "for (;;);"]);
  onTestFinished(() => void child.kill("SIGKILL"));
  const read = () => readThreadUse(child.pid ?? 0);
  await expect.poll(() => read()?.ranMs ?? 0, { timeout: 60_000 }).toBeGreaterThan(200);
  expect(read()?.state).toBe("R");
  child.kill("SIGSTOP");
  await expect.poll(() => read()?.state, { timeout: 60_000 }).toBe("T");
});

it("F8: one that gets a hundredth of a processor may be silent for minutes, one that gets all of it for 10 s", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const secondsOf = (share: number, isReady = true) => {
    let seconds = 0;
    const silence = new Silence(1, undefined, () => used("R", seconds * 1000 * share, seconds * 1000 * (1 - share)));
    for (seconds = 1; seconds < 3000; seconds++) {
      vi.advanceTimersByTime(1000);
      if (silence.look(isReady) !== null) return seconds;
    }
    return Infinity;
  };
  expect([secondsOf(0.01), secondsOf(0.5), secondsOf(1), secondsOf(1, false)]).toEqual([1001, 21, 11, 31]);
});

it("F8: a machine that slept for an hour has no stuck process", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const silence = new Silence(1, undefined, () => null);
  vi.advanceTimersByTime(3_600_000);
  expect([silence.look(true), silence.usableMs]).toEqual([null, 2000]);
});

it("a process is another one while it runs", async () => {
  const child = spawn(process.execPath, ["-e", "process.stdin.resume()"]);
  await once(child, "spawn");
  const pid = child.pid ?? 0;
  expect(isOtherProcess(pid)).toBe(true);
  child.stdin.end();
  await once(child, "exit");
  expect(isOtherProcess(pid)).toBe(false);
});

it("this process is no other one", () => expect(isOtherProcess(process.pid)).toBe(false));

it("one that may not be signalled runs", () => {
  const refused = Object.assign(new Error("kill EPERM"), { code: "EPERM" });
  const kill = vi.spyOn(process, "kill").mockImplementation(() => {
    throw refused;
  });
  onTestFinished(() => kill.mockRestore());
  expect(isOtherProcess(1)).toBe(true);
});

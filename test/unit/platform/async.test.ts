import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { Signal, pause, shareWork, within, withDeadline } from "@/lib/platform/async";

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

it("pause ends after its time, or when the first of its signals aborts", async () => {
  const [stop, other] = [new AbortController(), new AbortController()];
  const ended: string[] = [];
  const pausing = [
    pause(1_000, []).then(() => ended.push("time")),
    pause(5_000, [stop.signal, other.signal]).then(() => ended.push("signal")),
    pause(5_000, [AbortSignal.abort()]).then(() => ended.push("at once")),
  ];
  await vi.advanceTimersByTimeAsync(999);
  expect(ended).toEqual(["at once"]);
  await vi.advanceTimersByTimeAsync(1);
  other.abort();
  await Promise.all(pausing);
  expect(ended).toEqual(["at once", "time", "signal"]);
  expect(vi.getTimerCount()).toBe(0);
});

describe("within", () => {
  const never = new Promise<string>(() => undefined);

  it("gives what the work gives, and leaves no timer", async () => {
    expect(await within(1_000, Promise.resolve("done"), () => "late")).toBe("done");
    await expect(within(1_000, Promise.reject(new Error("away")), () => "late")).rejects.toThrow("away");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("gives or throws what is for work that takes longer, which then concerns nobody", async () => {
    let fail: (error: Error) => void = () => undefined;
    const late = within(1_000, new Promise<string>((_resolve, reject) => (fail = reject)), () => "late");
    const refused = within(1_000, never, () => {
      throw new Error("too late");
    });
    const refusal = expect(refused).rejects.toThrow("too late");
    await vi.advanceTimersByTimeAsync(1_000);
    await refusal;
    expect(await late).toBe("late");
    // Would end the run as a rejection that nobody handles.
    fail(new Error("away"));
    await vi.advanceTimersByTimeAsync(1);
  });
});

it("withDeadline: the work is told when its time is over, and when it is stopped", async () => {
  const seen: string[] = [];
  const work = (name: string) => (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener("abort", () => resolve(void seen.push(name))));
  const stop = new AbortController();
  const both = [withDeadline(1_000, [], work("deadline")), withDeadline(5_000, [stop.signal], work("stop"))];
  stop.abort();
  await vi.advanceTimersByTimeAsync(1_000);
  await Promise.all(both);
  expect(seen).toEqual(["stop", "deadline"]);
});

it("a signal ends the waits that began before it was given, and none that begin later", async () => {
  const signal = new Signal();
  const early = pause(5_000, [signal.next]);
  signal.give();
  await early;
  expect(vi.getTimerCount()).toBe(0);
  const late = pause(5_000, [signal.next]);
  expect(vi.getTimerCount()).toBe(1);
  signal.give();
  await late;
});

it("shareWork does the work once for all who ask meanwhile, again for who asks later, also after a failure", async () => {
  const results = [() => Promise.resolve(1), () => Promise.reject(new Error("fails")), () => Promise.resolve(3)];
  const work = vi.fn(() => results.shift()?.());
  const ask = shareWork(async () => work());
  expect(await Promise.all([ask(), ask(), ask()])).toEqual([1, 1, 1]);
  expect((await Promise.allSettled([ask(), ask()])).map(({ status }) => status)).toEqual(["rejected", "rejected"]);
  expect(await ask()).toBe(3);
  expect(work).toHaveBeenCalledTimes(3);
});

import { spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { holdsItsLocks } from "@/lib/platform/db/held-locks";
import { findHeldLocks, releaseLocks, withLock } from "@/lib/platform/db/lock";
import { isGone, processIdentity } from "@/lib/platform/db/connection/process-identity";
import { readRevision } from "@/lib/platform/db/revision";
import { inTransaction } from "@/lib/platform/db/transaction";
import { saveTask } from "@/lib/jobs/task-run";
import { DirectoryTaskModel } from "@/models/directory/directory-task";
import { LockModel } from "@/models/database/lock";
import { testContext, withEmptyDatabase } from "@/test/support/database";

withEmptyDatabase();

const held = { ttlMs: 10_000, wait: false };

it.each([
  ["lets one caller in and turns the others away (directory.md 4.2)", "task", null],
  ["keeps different tasks apart", "other", { result: "inner" }],
])("%s", async (_title, name, result) => {
  const outcome = await withLock("task", held, () => withLock(name, held, () => Promise.resolve("inner")));
  expect(outcome).toEqual({ result });
});

it("is free again after the work, also after work that failed", async () => {
  await expect(withLock("task", held, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withLock("task", held, () => Promise.resolve("next"))).toEqual({ result: "next" });
  expect(await LockModel.countDocuments()).toBe(0);
});

it("lets those who wait in one after the other", async () => {
  let inside = 0;
  let max = 0;
  const enter = () =>
    withLock("task", { ttlMs: 10_000, wait: true }, async () => {
      inside += 1;
      max = Math.max(max, inside);
      await setTimeout(5);
      inside -= 1;
    });
  await Promise.all([enter(), enter(), enter()]);
  expect(max).toBe(1);
});

it("is renewed while the work goes on longer than it lasts", async () => {
  const outcome = await withLock("task", { ttlMs: 300, wait: false }, async () => {
    const before = await LockModel.findById("task").lean();
    const end = async () => Number((await LockModel.findById("task").lean())?.expiresAt);
    await expect.poll(end).toBeGreaterThan(Number(before?.expiresAt) + 300);
    return "done";
  });
  expect(outcome?.result).toBe("done");
});

it("of a process that died is taken over when it has expired, not before", async () => {
  await LockModel.insertMany([{ _id: "task", owner: "dead", expiresAt: new Date(Date.now() + 60_000) }]);
  expect(await withLock("task", held, () => Promise.resolve("mine"))).toBeNull();
  await LockModel.updateOne({ _id: "task" }, { $set: { expiresAt: new Date(Date.now() - 1) } });
  expect(await withLock("task", held, () => Promise.resolve("mine"))).toEqual({ result: "mine" });
});

it("of a process that has ended on this machine is taken over at once", async () => {
  const { pid } = spawnSync(process.execPath, ["--eval", "0"]);
  const ended = processIdentity.replace(/\d+$/, String(pid));
  expect([isGone(ended), isGone(processIdentity)]).toEqual([true, false]);
  expect(isGone(ended.replace(/^[^;]*/, "elsewhere"))).toBe(false);
  const lock = (owner: string) => ({ _id: "task", owner, expiresAt: new Date(Date.now() + 60_000) });
  await LockModel.insertMany([lock(`${ended}/1`)]);
  expect([...(await findHeldLocks(["task"]))]).toEqual([]);
  expect(await withLock("task", held, () => Promise.resolve("mine"))).toEqual({ result: "mine" });
  await LockModel.insertMany([lock(`${processIdentity}/1`)]);
  expect([...(await findHeldLocks(["task", "other"]))]).toEqual(["task"]);
  expect(await withLock("task", held, () => Promise.resolve("mine"))).toBeNull();
});

function aClock(start = Date.now()) {
  let passed = 0;
  const timers = new Set<{ readonly ms: number; readonly work: () => void; next: number }>();
  return {
    now: () => start + passed,
    elapsed: () => passed,
    every: (ms: number, work: () => void) => {
      const timer = { ms, work, next: passed + ms };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    pass: (ms: number) => {
      passed += ms;
      for (const timer of timers) for (; timer.next <= passed; timer.next += timer.ms) timer.work();
    },
    intervals: () => [...timers].map(({ ms }) => ms),
  };
}
const mine = (clock: ReturnType<typeof aClock>) =>
  withLock("task", { wait: false, clock }, () => Promise.resolve("mine"));

describe("finding G3: a lease", () => {
  it("lasts 60 s and is renewed every 20 s while the work goes on", async () => {
    const clock = aClock();
    await withLock("task", { wait: false, clock }, async () => {
      expect(clock.intervals()).toEqual([20_000]);
      const until = async () => Number((await LockModel.findById("task").lean())?.expiresAt) - clock.now();
      expect(await until()).toBe(60_000);
      clock.pass(20_000);
      await expect.poll(until).toBe(60_000);
    });
    expect(clock.intervals()).toEqual([]);
  });

  it("of a holder that died elsewhere is free 60 s after its last renewal, not before", async () => {
    const clock = aClock();
    const lock = { _id: "task", owner: "elsewhere;1;2/3", expiresAt: new Date(clock.now() + 60_000) };
    await LockModel.insertMany([lock]);
    clock.pass(59_000);
    expect(await mine(clock)).toBeNull();
    clock.pass(1_000);
    expect(await mine(clock)).toEqual({ result: "mine" });
  });

  it("that was lost lets its work write nothing more", async () => {
    const write = () =>
      inTransaction(testContext, async (tx) => {
        await tx.nextId("languages");
      });
    const work = withLock("task", { wait: false }, async () => {
      await write();
      await LockModel.updateOne({ _id: "task" }, { owner: "elsewhere;1;2/3" });
      const before = await readRevision();
      await expect(write()).rejects.toMatchObject({ name: "LockLost" });
      await saveTask("applications", { state: "failed" });
      expect(await readRevision()).toBe(before);
      throw new Error("ended");
    });
    await expect(work).rejects.toThrow("ended");
    expect(await DirectoryTaskModel.countDocuments()).toBe(0);
    expect(await LockModel.findById("task").lean()).toMatchObject({ owner: "elsewhere;1;2/3" });
    await write();
  });

  it("is known to be lost at its next renewal", async () => {
    const clock = aClock();
    await withLock("task", { wait: false, clock }, async () => {
      await LockModel.deleteOne({ _id: "task" });
      clock.pass(20_000);
      await expect.poll(holdsItsLocks).toBe(false);
    });
    expect(holdsItsLocks()).toBe(true);
  });

  it("does not bind what the work has started and left running", async () => {
    let later: Promise<unknown> = Promise.resolve();
    let begin = (): void => undefined;
    await withLock("task", { wait: false }, async () => {
      const ended = new Promise<void>((resolve) => (begin = resolve));
      later = ended.then(() => inTransaction(testContext, async (tx) => tx.nextId("languages")));
      await Promise.resolve();
    });
    begin();
    expect(await later).toEqual(expect.any(Number));
  });
});

it("finding G2: a lock dated by a clock that ran ahead is free when its holder shows no sign of life", async () => {
  const clock = aClock();
  const ahead = new Date(clock.now() + 365 * 86_400_000);
  await LockModel.insertMany([{ _id: "task", owner: "elsewhere;1;2/3", expiresAt: ahead }]);
  expect(await mine(clock)).toBeNull();
  clock.pass(239_000);
  // Renewed: its holder lives, however wrong its clock is.
  await LockModel.updateOne({ _id: "task" }, { expiresAt: new Date(Number(ahead) + 20_000) });
  expect(await mine(clock)).toBeNull();
  clock.pass(239_000);
  expect([...(await findHeldLocks(["task"], clock))]).toEqual(["task"]);
  clock.pass(1_000);
  expect([...(await findHeldLocks(["task"], clock))]).toEqual([]);
  expect(await mine(clock)).toEqual({ result: "mine" });
});

it("is given up at the end of its process, work under way or not", () =>
  withLock("task", held, async () => {
    await releaseLocks();
    expect(await LockModel.countDocuments()).toBe(0);
  }));

import { spawnSync } from "node:child_process";
import { setTimeout } from "node:timers/promises";
import { afterEach, expect, it } from "vitest";
import { findHeldLocks, releaseLocks, withLock } from "@/lib/db/lock";
import { isGone, processIdentity } from "@/lib/db/process-identity";
import { LockModel } from "@/models/lock";
import { emptyDatabase, withDatabase } from "@/test/support/database";

withDatabase();
afterEach(emptyDatabase);

const held = { ttlMs: 10_000, wait: false };

it("lets one caller in and turns the others away (directory.md 4.2)", async () => {
  const outcome = await withLock("task", held, () => withLock("task", held, () => Promise.resolve("inner")));
  expect(outcome).toEqual({ result: null });
});

it("keeps different tasks apart", async () => {
  const outcome = await withLock("task", held, () => withLock("other", held, () => Promise.resolve("inner")));
  expect(outcome).toEqual({ result: { result: "inner" } });
});

it("is free again after the work, also after work that failed", async () => {
  await expect(withLock("task", held, () => Promise.reject(new Error("no")))).rejects.toThrow("no");
  expect(await withLock("task", held, () => Promise.resolve("next"))).toEqual({ result: "next" });
  expect(await LockModel.countDocuments()).toBe(0);
});

it("lets those who wait in one after the other", async () => {
  let inside = 0;
  let most = 0;
  const enter = () =>
    withLock("task", { ttlMs: 10_000, wait: true }, async () => {
      inside += 1;
      most = Math.max(most, inside);
      await setTimeout(5);
      inside -= 1;
    });
  await Promise.all([enter(), enter(), enter()]);
  expect(most).toBe(1);
});

it("is renewed while the work goes on longer than it lasts", async () => {
  const outcome = await withLock("task", { ttlMs: 300, wait: false }, async () => {
    const before = await LockModel.findById("task").lean();
    await setTimeout(600);
    const after = await LockModel.findById("task").lean();
    return Number(after?.expiresAt) - Number(before?.expiresAt);
  });
  expect(outcome?.result).toBeGreaterThan(0);
});

it("of a process that died is taken over when it has expired, not before", async () => {
  const dead = { _id: "task", owner: "dead", expiresAt: new Date(Date.now() + 60_000) };
  await LockModel.insertMany([dead]);
  expect(await withLock("task", held, () => Promise.resolve("mine"))).toBeNull();
  const past = { expiresAt: new Date(Date.now() - 1) };
  await LockModel.updateOne({ _id: "task" }, { $set: past });
  expect(await withLock("task", held, () => Promise.resolve("mine"))).toEqual({ result: "mine" });
});

it("of a process that has ended on this machine is taken over at once", async () => {
  const { pid } = spawnSync(process.execPath, ["--eval", "0"]);
  const ended = processIdentity.replace(/\d+$/, String(pid));
  expect([isGone(ended), isGone(processIdentity)]).toEqual([true, false]);
  // The same process number elsewhere says nothing.
  expect(isGone(ended.replace(/^[^;]*/, "elsewhere"))).toBe(false);
  const lock = (owner: string) => ({ _id: "task", owner, expiresAt: new Date(Date.now() + 60_000) });
  await LockModel.insertMany([lock(`${ended}/1`)]);
  expect([...(await findHeldLocks(["task"]))]).toEqual([]);
  expect(await withLock("task", held, () => Promise.resolve("mine"))).toEqual({ result: "mine" });
  await LockModel.insertMany([lock(`${processIdentity}/1`)]);
  expect([...(await findHeldLocks(["task", "other"]))]).toEqual(["task"]);
  expect(await withLock("task", held, () => Promise.resolve("mine"))).toBeNull();
});

it("is given up at the end of its process, work under way or not", async () => {
  await withLock("task", held, async () => {
    await releaseLocks();
    expect(await LockModel.countDocuments()).toBe(0);
  });
});

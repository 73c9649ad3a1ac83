import mongoose from "mongoose";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { findDatabaseAddress } from "@/lib/platform/db/connection/address";
import { askAnew, requestLifeSign, silentMs } from "@/lib/platform/db/connection/life-sign";
import { readThreadUse, type ThreadUse } from "@/lib/platform/process/run-time";
import { mainTells, playMain } from "@/test/support/main-process";

// Files before may have loaded them with the real one.
vi.hoisted(() => vi.resetModules());
vi.mock("@/lib/platform/process/run-time", async (original) => ({
  ...(await original<object>()),
  readThreadUse: vi.fn(),
}));
playMain();

const used = vi.mocked(readThreadUse);

let answer: () => Promise<void>;
beforeEach(async () => {
  vi.useFakeTimers();
  const open: (() => void)[] = [];
  const command = () => new Promise<void>((resolve) => open.push(resolve));
  const client = { db: () => ({ command }) };
  vi.spyOn(mongoose.connection, "getClient").mockReturnValue(client as never);
  answer = async () => {
    for (const one of open.splice(0)) one();
    await vi.advanceTimersByTimeAsync(0);
  };
  // Files before may have asked a database that was not there.
  askAnew();
  await answer();
});
afterEach(async () => {
  await answer();
  await vi.advanceTimersByTimeAsync(2_000);
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const pass = async (ms: number) => {
  for (let at = 0; at < ms; at += 100) {
    requestLifeSign();
    await vi.advanceTimersByTimeAsync(100);
  }
};

it("N4: a database is silent from the first question without an answer, and an answer that comes late is one", async () => {
  expect(silentMs()).toBe(0);
  await pass(3_000);
  expect(silentMs()).toBe(3_000);
  await answer();
  expect(silentMs()).toBe(0);
});

it("F8: time in which this process has not looked does not count", async () => {
  await pass(500);
  // The event loop stands; then one look is late.
  vi.setSystemTime(Date.now() + 60_000);
  const now = performance.now();
  vi.spyOn(performance, "now").mockImplementation(() => now + 60_000);
  await pass(100);
  expect(silentMs()).toBe(600);
});

it("F8: time in which the embedded database had no processor does not count; while it is stopped, all does", async () => {
  const address = findDatabaseAddress({ mongodbUri: null });
  mainTells({ kind: "database", address: "mongodb://%2Fsocket/", pid: 7 });
  expect(await address).toBe("mongodb://%2Fsocket/");
  let now: ThreadUse = { state: "R", ranMs: 0, waitedMs: 0 };
  used.mockImplementation(() => (now = now.state === "R" ? { ...now, ranMs: now.ranMs + 1 } : now));
  await pass(20_100);
  expect(used).toHaveBeenCalledWith(7);
  // The first look has nothing to compare with.
  expect(silentMs()).toBe(300);
  now = { ...now, state: "T" };
  await pass(2_000);
  expect(silentMs()).toBe(2_300);
  mainTells({ kind: "database", address: "mongodb://%2Fsocket/" });
});

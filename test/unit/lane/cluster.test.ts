import { fork } from "node:child_process";
import { expect, it, onTestFinished } from "vitest";
import { jsonOf, send } from "@/test/support/lane-server";

it("N2: lanes share a port as workers of a cluster; when one stops the other answers", async () => {
  const lanes = fork("test/support/lane-cluster.ts", [], { execArgv: ["--import", "tsx"] });
  onTestFinished(() => lanes.disconnect());
  const told: { port?: number; isForced?: boolean }[] = [];
  lanes.on("message", (message: { port?: number }) => told.push(message));
  await expect.poll(() => told.length, { timeout: 120_000, interval: 20 }).toBe(2);
  const port = told[0]?.port;
  expect(port).toBeGreaterThan(0);
  expect(told[1]?.port).toBe(port);
  const ask = async (): Promise<number> =>
    jsonOf(await send(`http://127.0.0.1:${port}/health/ready`, { method: "GET" })).revision;
  expect([1, 2]).toContain(await ask());
  lanes.send(1);
  await expect.poll(() => told.length, { timeout: 120_000, interval: 20 }).toBe(3);
  expect(told[2]).toEqual({ isForced: false });
  const answered = await Promise.all(Array.from({ length: 20 }, ask));
  expect(new Set(answered)).toEqual(new Set([2]));
});

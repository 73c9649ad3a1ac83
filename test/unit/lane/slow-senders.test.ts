import { fork } from "node:child_process";
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { serveWorkedExample } from "@/test/support/lane-server";
import { workedRequest } from "@/test/support/worked-example";

const body = JSON.stringify(workedRequest);
const route = "/api/v1/production/policy";
const slowSenders = 1_000;
const carsPerSecond = 200;
// Longer than a body may take, so that senders are cut off and come again meanwhile.
const seconds = 12;

/** A car whose body comes a while after its headers, on a connection of its own. */
function askSlowly(port: number, at: number, delayMs: number): Promise<number | string> {
  return new Promise((resolve) => {
    const localAddress = `127.1.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`;
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const car = request({ port, host: "127.0.0.1", localAddress, path: route, method: "POST", headers, agent: false });
    car.once("response", (answer) => answer.resume().once("close", () => resolve(answer.statusCode ?? 0)));
    car.once("error", (error) => resolve(error.message));
    car.flushHeaders();
    setTimeout(() => car.end(body), delayMs);
  });
}

// Addresses of the whole network 127.0.0.0/8 belong to the machine on Linux only.
it.runIf(process.platform === "linux")("N9: beside 1,000 slow senders no car is refused", async () => {
  const { port, lane } = await serveWorkedExample();
  const slow = fork("test/support/slow-senders.ts", [String(port), String(slowSenders), route], {
    execArgv: ["--import", "tsx"],
  });
  onTestFinished(() => void slow.kill());
  await expect.poll(() => lane.figures().receiving, { timeout: 120_000, interval: 50 }).toBe(slowSenders);
  const cars: Promise<number | string>[] = [];
  const start = performance.now();
  while (cars.length < carsPerSecond * seconds) {
    const due = ((performance.now() - start) / 1_000) * carsPerSecond;
    // Spread evenly over 0.2 to 2 s.
    while (cars.length < Math.min(due, carsPerSecond * seconds))
      cars.push(askSlowly(port, cars.length, 200 + ((cars.length * 617) % 1_800)));
    await wait(10);
  }
  const statuses = await Promise.all(cars);
  expect(statuses.filter((status) => status !== 200)).toEqual([]);
  expect(lane.figures().receiving).toBeGreaterThan(0);
  expect(lane.figures().refused).toMatchObject({ client: 0, bytes: 0, waiting: 0, unsent: 0 });
});

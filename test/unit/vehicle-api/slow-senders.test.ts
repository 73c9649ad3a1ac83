import { fork } from "node:child_process";
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { expect, it, onTestFinished } from "vitest";
import { body, route, serveWorkedExample } from "@/test/support/worker-server";
import { hangMs } from "@/test/support/patience.mjs";

const slowSenders = { shared: 1_000, others: 250 };
const carsPerSecond = 200;
// Longer than a body may take, so that senders are cut off and come again meanwhile.
const seconds = 12;

const shared = "127.2.0.1";

interface Outcome {
  readonly status: number | string;
  /** When the car had sent its request, or was refused before: on a slow machine later than it was told to. */
  readonly sentMs: number;
}
/** A body that takes 5 s has had its time, and may give way to others. On a slow machine it is read seconds after it is sent. */
const quickMs = 2_500;

function askSlowly(port: number, localAddress: string, delayMs: number): Promise<Outcome> {
  return new Promise((resolve) => {
    const start = performance.now();
    let sentMs = Infinity;
    const end = (status: number | string) => resolve({ status, sentMs: Math.min(sentMs, performance.now() - start) });
    const headers = { "Content-Type": "application/json", "Content-Length": Buffer.byteLength(body) };
    const car = request({ port, host: "127.0.0.1", localAddress, path: route, method: "POST", headers, agent: false });
    car.once("response", (answer) => answer.resume().once("close", () => end(answer.statusCode ?? 0)));
    car.once("error", (error) => end(error.message));
    car.flushHeaders();
    setTimeout(() => car.end(body, () => (sentMs = performance.now() - start)), delayMs);
  });
}

// Addresses of the whole network 127.0.0.0/8 belong to the machine on Linux only.
it.runIf(process.platform === "linux")(
  "N9, F9: beside 1,250 slow senders no car is refused, also not from the address of 1,000 of them",
  async () => {
    const { port, vehicleWorker } = await serveWorkedExample();
    const execArgv = ["--import", "tsx"];
    for (const more of [
      [slowSenders.shared, route, shared],
      [slowSenders.others, route],
    ]) {
      const slow = fork("test/support/slow-senders.ts", [port, ...more].map(String), { execArgv });
      onTestFinished(() => void slow.kill());
    }
    const all = slowSenders.shared + slowSenders.others;
    await expect.poll(() => vehicleWorker.figures().receiving, { timeout: hangMs(120), interval: 50 }).toBe(all);
    const cars: Promise<Outcome>[] = [];
    const start = performance.now();
    while (cars.length < carsPerSecond * seconds) {
      const due = ((performance.now() - start) / 1_000) * carsPerSecond;
      while (cars.length < Math.min(due, carsPerSecond * seconds)) {
        const at = cars.length;
        // Every other one shares the address of most slow senders.
        const address = at % 2 === 0 ? shared : `127.1.${1 + Math.floor(at / 250)}.${1 + (at % 250)}`;
        // Spread evenly over 0.2 to 2 s.
        cars.push(askSlowly(port, address, 200 + ((at * 617) % 1_800)));
      }
      await wait(10);
    }
    const quick = (await Promise.all(cars)).filter(({ sentMs }) => sentMs < quickMs);
    expect(quick.length).toBeGreaterThan(0);
    expect(quick.filter(({ status }) => status !== 200)).toEqual([]);
    expect(vehicleWorker.figures().receiving).toBeGreaterThan(0);
    expect(vehicleWorker.figures().refused).toMatchObject({ bytes: 0, waiting: 0, unsent: 0 });
    // Only of the address that has more than its share.
    expect(vehicleWorker.figures().refused.client).toBeGreaterThan(0);
  },
);

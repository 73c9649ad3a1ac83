import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aloneEnvironment, emptyDataDir, startServer, type TestServer } from "@/test/support/server";

/*
 * Budget of the console: the list of 10,000 apps is drawn in at most three times the time of one of 200. Both servers
 * answer in turns, so that whatever else the machine does meets both.
 */

const budget = 3;
const counts = [200, 10_000] as const;
const rounds = 15;
const servers = new Map<number, TestServer>();

beforeAll(async () => {
  for (const count of counts) {
    const dataDir = emptyDataDir();
    const fill = ["--import", "tsx", "bench/fill.ts", dataDir, String(count), "--large"];
    expect(spawnSync(process.execPath, fill, { stdio: ["ignore", "ignore", "inherit"] }).status).toBe(0);
    servers.set(count, await startServer({ dataDir, env: aloneEnvironment }));
  }
});
afterAll(async () => {
  for (const server of servers.values()) {
    await server.stop();
    rmSync(server.dataDir, { recursive: true, force: true });
  }
});

it.each(["/applications", "/applications?state=all&sort=name"])(
  "%s: 10,000 apps take at most three times as long as 200",
  async (path) => {
    const times = new Map<number, number[]>(counts.map((count) => [count, []]));
    // The first rounds warm up.
    for (let round = -3; round < rounds; round++) {
      for (const count of counts) {
        const time = await measure(`${servers.get(count)?.origin}${path}`);
        if (round >= 0) times.get(count)?.push(time);
      }
    }
    const [few = 0, many = 0] = counts.map((count) => median(times.get(count) ?? []));
    const ratio = many / few;
    console.log(
      `${path}: ${few.toFixed(1)} ms with 200 apps, ${many.toFixed(1)} ms with 10,000: ${ratio.toFixed(2)} ×`,
    );
    expect(ratio).toBeLessThanOrEqual(budget);
  },
);

/** Milliseconds until the whole page has arrived. */
async function measure(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  expect(response.status).toBe(200);
  // Both fill their page.
  expect(text.match(/<tr[ >]/g)?.length ?? 0).toBeGreaterThan(25);
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity;
}

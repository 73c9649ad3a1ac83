import { rmSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect } from "vitest";
import { daily } from "@/test/support/extent";
import { fillDataDir } from "@/test/support/fill";
import { aloneEnvironment, emptyDataDir, startServer, type TestServer } from "@/test/support/server";

/* Both servers answer in turns, so that whatever else the machine does meets both. */

const maxBytes = 100_000;
const counts = [200, 10_000] as const;
const rounds = 15;
const servers = new Map<number, TestServer>();

beforeAll(async () => {
  const start = async (count: number) => {
    const dataDir = emptyDataDir();
    await fillDataDir(dataDir, count, "--large");
    servers.set(count, await startServer({ dataDir, env: aloneEnvironment }));
  };
  await Promise.all(counts.map(start));
});
afterAll(async () => {
  for (const server of servers.values()) {
    await server.stop();
    rmSync(server.dataDir, { recursive: true, force: true });
  }
});

const lists: readonly (readonly [string, number])[] = [
  ["/applications", 3],
  ["/applications?state=all&sort=name", 3],
  // Keys of permissions: many apps request one.
  ["/applications?state=all&q=gps", 5],
  ["/applications?state=all&q=gps&sort=name&size=100", 5],
  // Found nowhere: every app has to be looked at.
  ["/applications?state=all&q=nowhere", 5],
];
daily.each(lists)("%s: 10,000 apps take at most %i times as long as 200", async (path, budget) => {
  const times = new Map<number, number[]>(counts.map((count) => [count, []]));
  // The first rounds warm up.
  for (let round = -3; round < rounds; round++) {
    for (const count of counts) {
      if (round >= 0) times.get(count)?.push(await measure(`${servers.get(count)?.origin}${path}`));
    }
  }
  const [few = 0, many = 0] = counts.map((count) => median(times.get(count) ?? []));
  const ratio = many / few;
  console.log(`${path}: ${few.toFixed(1)} ms with 200 apps, ${many.toFixed(1)} ms with 10,000: ${ratio.toFixed(2)} ×`);
  expect(ratio).toBeLessThanOrEqual(budget);
});

daily.each([
  "/applications",
  "/applications?state=all&sort=name&size=100",
  "/applications?state=all&q=gps&size=100",
  "/api/v1/applications?search=gps&limit=50",
  "/api/v1/applications?search=app&limit=100&sort=name",
])("%s is below 100 KB when it is compressed", async (path) => {
  const response = await fetch(`${servers.get(10_000)?.origin}${path}`);
  expect(response.status).toBe(200);
  const bytes = gzipSync(await response.text()).length;
  console.log(`${path}: ${(bytes / 1000).toFixed(1)} kB`);
  expect(bytes).toBeGreaterThan(1000);
  expect(bytes).toBeLessThan(maxBytes);
});

/** Milliseconds until the whole page has arrived. */
async function measure(url: string): Promise<number> {
  const start = performance.now();
  const response = await fetch(url);
  const text = await response.text();
  expect(response.status).toBe(200);
  // Both fill their page, unless there is nothing to find.
  if (!url.includes("q=nowhere")) expect(text.match(/<tr[ >]/g)?.length ?? 0).toBeGreaterThan(25);
  return performance.now() - start;
}

function median(times: readonly number[]): number {
  return times.toSorted((a, b) => a - b)[Math.floor(times.length / 2)] ?? Infinity;
}

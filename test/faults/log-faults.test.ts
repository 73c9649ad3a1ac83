import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it, vi } from "vitest";
import { daily } from "@/test/support/extent";
import { patiently } from "@/test/support/patience.mjs";
import { aloneEnvironment, startServer, type TestServer } from "@/test/support/server";
import { mountSmallDisk } from "@/test/support/small-disk";
import { askForTable } from "@/test/support/vehicle";

const env = { ...aloneEnvironment, LOG_VEHICLES: "all", DRAIN_SECONDS: "0" };

/** So many vehicles one after the other on each of ten connections; about 250 bytes of log each. */
async function drive({ origin }: TestServer, vehicles: number): Promise<void> {
  const statuses = new Set<number>();
  const one = async () => {
    for (let n = 0; n < vehicles / 10; n++) statuses.add((await askForTable(origin)).status);
  };
  await Promise.all(Array.from({ length: 10 }, one));
  expect([...statuses]).toEqual([200]);
}

/** Stops the server; gives its exit status. */
async function stop(server: TestServer): Promise<number | null> {
  const start = performance.now();
  const ended = once(server.child, "exit");
  server.child.kill("SIGTERM");
  const [status] = (await ended) as [number | null];
  console.info(`the stop took ${Math.round(performance.now() - start)} ms`);
  rmSync(server.dataDir, { recursive: true, force: true });
  return status;
}

it("N13: a reader of the log that stands: no vehicle notices, and the server ends", async () => {
  const folder = mkdtempSync(path.join(tmpdir(), "log-pipe-"));
  const pipe = path.join(folder, "pipe");
  execFileSync("mkfifo", [pipe]);
  // Open for reading, too, so that there is a reader; it never reads.
  const logFile = openSync(pipe, "r+");
  const server = await startServer({ env, logFile });
  await drive(server, 6000);
  expect(await stop(server)).toBe(0);
  closeSync(logFile);
  rmSync(folder, { recursive: true });
});

const disk = mountSmallDisk(8);
describe.skipIf(disk === null)("N13: a full disk under the log", () => {
  if (disk === null) return;
  afterAll(() => disk.unmount());

  daily("no vehicle notices; with room again the log goes on and says what is missing; the server ends", async () => {
    const file = path.join(disk.folder, "server.log");
    const logFile = openSync(file, "a");
    const server = await startServer({ env, logFile });
    disk.fill();
    await drive(server, 6000);
    disk.free();
    await vi.waitFor(() => expect(readFileSync(file, "utf8")).toContain('"dropped":'), patiently);
    disk.fill();
    await drive(server, 500);
    expect(await stop(server)).toBe(0);
    closeSync(logFile);
    // The last line may have found no room for its end.
    const lines = readFileSync(file, "utf8").split("\n").slice(0, -1);
    for (const line of lines.filter((one) => one.startsWith("{"))) expect(() => JSON.parse(line)).not.toThrow();
  });
});

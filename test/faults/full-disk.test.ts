import { setTimeout as wait } from "node:timers/promises";
import { afterAll, describe, expect, vi } from "vitest";
import { daily } from "@/test/support/extent";
import { hangMs } from "@/test/support/patience.mjs";
import { aloneEnvironment, startServer } from "@/test/support/server";
import { mountSmallDisk } from "@/test/support/small-disk";
import { askForTable, eventually } from "@/test/support/vehicle";

const disk = mountSmallDisk(32);
const timeout = { timeout: hangMs(240), interval: 50 };

describe.skipIf(disk === null)("findings C1, C2: DATA_DIR on a disk that is full", () => {
  if (disk === null) return;
  afterAll(() => disk.unmount());
  const env = { ...aloneEnvironment, DATA_DIR: disk.folder };

  daily(
    "ten times over: no refused write is seen, vehicles notice nothing, writes come back by themselves within 10 s",
    { timeout: hangMs(900) },
    async () => {
      const server = await startServer({ env });
      const call = (path: string, body?: object) =>
        fetch(`${server.origin}${path}`, {
          ...(body && {
            method: "POST",
            headers: { "content-type": "application/json" },
            body: JSON.stringify(body),
          }),
        });
      const names = async (): Promise<string[]> => (await (await call("/api/v1/groups/names")).json()).data.names;
      const stored = new Set<string>();
      const refused = new Set<string>();
      const seen = new Set<string>();
      const vehicleStatuses = new Set<number>();
      const sentences = new Set<string>();
      let isOver = false;
      const write = async () => {
        for (let n = 0; !isOver; n++) {
          const name = `Group ${n}`;
          const response = await call("/api/v1/groups", {
            base_id: 0,
            name,
            description: "x".repeat(400),
            is_default: true,
            is_proprietary_group: false,
            rpcs: [],
          });
          const { meta } = await response.json();
          if (response.status === 200) stored.add(name);
          else {
            expect([response.status, response.headers.get("retry-after")]).toEqual([503, "5"]);
            sentences.add(meta.message);
            refused.add(name);
          }
          await wait(40);
        }
      };
      const drive = async () => {
        while (!isOver) {
          const { status, table } = await askForTable(server.origin, { environment: "staging" });
          vehicleStatuses.add(status);
          for (const name of Object.keys(table.functional_groupings)) seen.add(name);
          for (const name of await names()) seen.add(name);
          await wait(10);
        }
      };
      const work = [write(), drive(), drive()];
      const recoveries: number[] = [];
      for (let round = 0; round < 10; round++) {
        const before = refused.size;
        // What others give back meanwhile, e.g. half a snapshot, is taken as well.
        await vi.waitFor(() => {
          disk.fill();
          expect(refused.size).toBeGreaterThan(before + 2);
        }, timeout);
        await eventually(async () => (await (await call("/health/ready")).json()).state === "degraded");
        expect(await (await call("/metrics")).text()).toMatch(/^policy_database_writable\{.*\} 0$/m);
        const known = stored.size;
        const freed = performance.now();
        disk.free();
        await vi.waitFor(() => expect(stored.size).toBeGreaterThan(known), timeout);
        recoveries.push(performance.now() - freed);
        await eventually(async () => (await (await call("/health/ready")).json()).state === "ready");
        expect(await (await call("/metrics")).text()).toMatch(/^policy_database_writable\{.*\} 1$/m);
      }
      isOver = true;
      await Promise.all(work);
      expect([...vehicleStatuses]).toEqual([200]);
      expect([...sentences]).toEqual([expect.stringMatching(/^The disk of the database is full/)]);
      expect([...seen].filter((name) => refused.has(name))).toEqual([]);
      expect([...seen].filter((name) => stored.has(name)).length).toBeGreaterThan(10);
      console.info(
        `${stored.size} stored, ${refused.size} refused; again after ms: ${recoveries.map(Math.round).join(", ")}`,
      );
      expect(Math.max(...recoveries)).toBeLessThan(hangMs(10));

      // A start on the full disk serves what is there.
      await server.stop("SIGKILL");
      disk.fill();
      const again = await startServer({ env });
      const response = await fetch(`${again.origin}/api/v1/groups/names`);
      const kept: string[] = (await response.json()).data.names;
      expect(new Set(kept.filter((name) => name.startsWith("Group ")))).toEqual(stored);
      expect((await askForTable(again.origin)).status).toBe(200);
      disk.free();
      await again.stop();
    },
  );
});

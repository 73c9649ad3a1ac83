import path from "node:path";
import { expect, it } from "vitest";
import { allVehicles, type Dimension } from "@/lib/fleet/dimensions";
import { loadBuckets } from "@/lib/fleet/stored-counts";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { killRole } from "@/test/support/process-tree";
import { startDatabase, startServer, type TestServer } from "@/test/support/server";
import { eventually, requestTable, sampleRequest } from "@/test/support/vehicle";

/* What the processes of a server count of vehicles' requests, up to the database (`fleet.md` S1, S5). */

const counting = { VEHICLE_WORKERS: "2", FLEET_STATISTICS: "usage", FLEET_SAMPLE_PER_SECOND: "10000" };
const body = sampleRequest("10-apps");

async function ask(server: TestServer, times: number): Promise<void> {
  for (let at = 0; at < times; at++) expect((await requestTable(server.origin, { body })).status).toBe(200);
}

async function kill(server: TestServer, role: string): Promise<void> {
  await killRole(server.child.pid ?? 0, role, 1);
  await eventually(async () => (await fetch(`${server.origin}/api/v1/releases`)).ok);
  await eventually(async () => (await requestTable(server.origin, { body: "" })).status === 400);
}

/** After the server has stopped: the sums of a dimension's counters; of answers by kind. */
async function readCounts(server: TestServer, dimension: Dimension): Promise<Record<string, number>> {
  const database = await startDatabase(path.join(server.dataDir, "database"));
  try {
    await connect({ uri: database.uri, dbName: "policy_server" });
    const place = { environment: "production", dimension, cell: allVehicles } as const;
    const days = await loadBuckets("day", place, new Date(0), new Date(Date.now() + 86_400_000));
    const sums: Record<string, number> = {};
    for (const [value, counters] of days.flatMap(({ values }) => [...values]))
      for (const [counter, by] of Object.entries(counters)) {
        const name = dimension === "answers" ? value : counter;
        sums[name] = (sums[name] ?? 0) + by;
      }
    return sums;
  } finally {
    await disconnect();
    await database.kill();
  }
}

it("S1, S5: two vehicle workers count every request, and a killed console loses and repeats nothing", async () => {
  const server = await startServer({ env: counting });
  await ask(server, 20);
  await requestTable(server.origin, { body: "{}" });
  await kill(server, "console");
  await ask(server, 20);
  const metrics = await (await fetch(`${server.origin}/metrics`)).text();
  expect(metrics).toMatch(
    /^policy_fleet_answers_total\{environment="production",kind="table",process="vehicle-worker-1"\} \d+/m,
  );
  await server.stop();
  const answers = await readCounts(server, "answers");
  // Waiting for the console took refused requests.
  expect(answers).toMatchObject({ table: 40 });
  expect(answers["refused"]).toBeGreaterThan(1);
  expect(await readCounts(server, "sample")).toEqual({ answered: 40, read: 40 });
  expect(await readCounts(server, "systems")).toEqual({ count: 80 });
  expect(await readCounts(server, "unknownApps")).toEqual({ count: 400 });
});

it("S5: a killed vehicle worker loses at most its last minute; S1: nothing is counted if it is off", async () => {
  const server = await startServer({ env: counting });
  await ask(server, 20);
  await kill(server, "vehicle-worker");
  await ask(server, 20);
  await server.stop();
  const { table = 0 } = await readCounts(server, "answers");
  expect(table).toBeGreaterThanOrEqual(20);
  expect(table).toBeLessThanOrEqual(40);

  const off = await startServer({ dataDir: server.dataDir, env: { ...counting, FLEET_STATISTICS: "off" } });
  await ask(off, 20);
  expect(await (await fetch(`${off.origin}/metrics`)).text()).not.toContain("policy_fleet");
  await off.stop();
  expect((await readCounts(off, "answers"))["table"]).toBe(table);
});

import { expect, it } from "vitest";
import { groupBody, getData, send } from "@/bench/calls";
import { killRole } from "@/test/support/process-tree";
import { startServer, type TestServer } from "@/test/support/server";
import { eventually, requestTable, sampleRequest } from "@/test/support/vehicle";

/* Nobody changes sides of a rollout, whatever ends (`fleet.md` S12, S14). */

const vehicles = Array.from({ length: 200 }, (_, at) => `WVWZZZ1JZXW${100_000 + at}`);
const sample = JSON.parse(sampleRequest("1-app")) as { policy_table: { module_meta: object } };
const bodyOf = (vin: string) => {
  const { policy_table: table } = sample;
  return JSON.stringify({ policy_table: { ...table, module_meta: { ...table.module_meta, vin } } });
};

/** Which vehicles get the release. */
async function inside(origin: string): Promise<readonly string[]> {
  const found: string[] = [];
  for (const vin of vehicles) {
    const { table } = await requestTable(origin, { body: bodyOf(vin) });
    if (Object.hasOwn(table.functional_groupings, "Rolled")) found.push(vin);
  }
  return found;
}

/** Once both vehicle workers give the release to more than so many. */
const settledInside = (origin: string, most: number) =>
  eventually(async () => {
    const [one, other] = [await inside(origin), await inside(origin)];
    return one.length > most && one.join() === other.join() && one;
  });

/** Until a process that starts finds a policy of that time on the disk, in seconds since 1970. */
async function saved(origin: string, since: number): Promise<void> {
  await eventually(async () => {
    const metrics = await (await fetch(`${origin}/metrics`)).text();
    const [, at] = /^policy_saved_timestamp_seconds\{process="console"\} ([\d.e+]+)$/m.exec(metrics) ?? [];
    return Number(at) > since;
  });
}

async function kill(server: TestServer, role: string): Promise<void> {
  await killRole(server.child.pid ?? 0, role);
  await eventually(async () => (await requestTable(server.origin, { body: "" })).status === 400);
}

it("S12, S14: a vehicle stays on its side when each process is killed, after restarts, and in the next step", async () => {
  const env = { VEHICLE_WORKERS: "2" };
  const server = await startServer({ env });
  await send(`${server.origin}/api/v1/groups`, groupBody("Rolled", { is_default: true }));
  const rollout = { steps: [40, 80, 100].map((percent) => ({ percent, hours: null })) };
  await send(`${server.origin}/api/v1/releases`, { items: "all", force: true, reason: "tested", rollout });
  const published = Date.now() / 1000;
  const first = await settledInside(server.origin, 0);
  expect(first.length).toBeGreaterThan(40);
  expect(first.length).toBeLessThan(120);
  await saved(server.origin, published);
  for (const role of ["vehicle-worker", "console", "database"]) {
    await kill(server, role);
    expect(await inside(server.origin)).toEqual(first);
  }
  process.kill(server.child.pid ?? 0, "SIGKILL");
  await eventually(() => Promise.resolve(server.child.signalCode !== null));

  const again = await startServer({ dataDir: server.dataDir, env });
  expect(await inside(again.origin)).toEqual(first);
  await eventually(async () => (await fetch(`${again.origin}/api/v1/rollouts/current`)).ok);
  await send(`${again.origin}/api/v1/rollouts/current/advance`, {});
  const second = await settledInside(again.origin, first.length);
  expect(first.every((vin) => second.includes(vin))).toBe(true);
  expect(await getData(`${again.origin}/api/v1/rollouts/current`)).toMatchObject({ rollout: { percent: 80 } });
  await again.stop();
});

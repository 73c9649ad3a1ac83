import path from "node:path";
import { expect, it } from "vitest";
import { groupBody, getData, send } from "@/bench/calls";
import { placeKeyOf, placeOf } from "@/lib/policy/rollout/place";
import { Sent } from "@/lib/policy/rollout/sent";
import { factsOf, sideAt } from "@/lib/policy/rollout/side";
import { loadSnapshotFile } from "@/lib/policy/saved/snapshot-file";
import { runCommand } from "@/test/support/command-line";
import { whenAnswered } from "@/test/support/processes";
import { killRole } from "@/test/support/process-tree";
import {
  aloneEnvironment,
  emptyDataDir,
  firstDatabaseDir,
  impatient,
  startDatabase,
  startServer,
  type TestServer,
} from "@/test/support/server";
import { eventually, requestTable, sampleRequest } from "@/test/support/vehicle";

/* Nobody changes sides of a rollout, whatever ends (`fleet.md` S12, S14). */

const fleet = Array.from({ length: 100_000 }, (_, at) => `WVWZZZ1JZXW${100_000 + at}`);
const vehicles = fleet.slice(0, 200);
const sample = JSON.parse(sampleRequest("1-app")) as { policy_table: { module_meta: object } };
const bodyOf = (vin: string) => {
  const { policy_table: table } = sample;
  return JSON.stringify({ policy_table: { ...table, module_meta: { ...table.module_meta, vin } } });
};

/** Which vehicles get the release. */
async function inside(origin: string): Promise<readonly string[]> {
  const answers = await Promise.all(vehicles.map((vin) => requestTable(origin, { body: bodyOf(vin) })));
  return vehicles.filter((_, at) => Object.hasOwn(answers[at]?.table.functional_groupings, "Rolled"));
}

/** Once both vehicle workers give the release to more than so many. */
const settledInside = (origin: string, most: number) =>
  eventually(async () => {
    const [one, other] = [await inside(origin), await inside(origin)];
    return one.length > most && one.join() === other.join() && one;
  });

/** Which of the fleet get the release, by the policy that vehicle workers load from the disk. */
const insideOnDisk = ({ dataDir }: TestServer, percent: number, isPaused: boolean) =>
  eventually(async () => {
    const rollout = (await loadSnapshotFile(dataDir, () => undefined))?.rollout;
    if (rollout?.percent !== percent || rollout.isPaused !== isPaused) return null;
    return fleet.filter(
      (vin) => sideAt(rollout, factsOf({ module_meta: { vin } }), placeOf(placeKeyOf(rollout), Sent.of(vin))) === "in",
    );
  });

/** Which of the fleet get the release, by every server, once each answers vehicles accordingly. */
async function settledFleet(servers: readonly TestServer[], percent: number, isPaused = false) {
  const [one = [], ...others] = await Promise.all(servers.map((server) => insideOnDisk(server, percent, isPaused)));
  for (const other of others) expect(other).toEqual(one);
  const asked = askedOf(one).join();
  for (const { origin } of servers) await eventually(async () => (await inside(origin)).join() === asked);
  return one;
}

const askedOf = (known: readonly string[]) => vehicles.filter((vin) => known.includes(vin));

async function expectSame(servers: readonly TestServer[], percent: number, known: readonly string[]): Promise<void> {
  for (const server of servers) {
    expect(await inside(server.origin)).toEqual(askedOf(known));
    expect(await insideOnDisk(server, percent, false)).toEqual(known);
  }
}

async function kill(server: TestServer, role: string): Promise<void> {
  await killRole(server.child.pid ?? 0, role);
  // Connections to the killed one are noticed at the first request.
  await eventually(() =>
    requestTable(server.origin, { body: "" }).then(
      ({ status }) => status === 400,
      () => false,
    ),
  );
}

it("S12, S14: a vehicle stays on its side when each process is killed, after restarts, and in the next step", async () => {
  const env = { VEHICLE_WORKERS: "2" };
  const server = await startServer({ env });
  await send(`${server.origin}/api/v1/groups`, groupBody("Rolled", { is_default: true }));
  const rollout = { steps: [40, 80, 100].map((percent) => ({ percent, hours: null })) };
  await send(`${server.origin}/api/v1/releases`, { items: "all", force: true, reason: "tested", rollout });
  const first = await settledInside(server.origin, 0);
  expect(first.length).toBeGreaterThan(40);
  expect(first.length).toBeLessThan(120);
  // Until a process that starts finds it.
  expect(askedOf(await insideOnDisk(server, 40, false))).toEqual(first);
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

it("S12, S14: of 100,000 vehicles none changes sides between two instances, without a database in each step, paused, or restored", async () => {
  const folder = firstDatabaseDir();
  let database = await startDatabase(folder);
  const env = { ...aloneEnvironment, MONGODB_URI: impatient(database.uri) };
  const here = await startServer({ env });
  let there = await startServer({ env });
  const start = { steps: [25, 75, 100].map((percent) => ({ percent, hours: null })) };
  await send(`${here.origin}/api/v1/groups`, groupBody("Rolled", { is_default: true }));
  await send(`${here.origin}/api/v1/releases`, { items: "all", force: true, reason: "tested", rollout: start });

  let before: readonly string[] = [];
  for (const percent of [25, 75]) {
    if (percent > 25) await send(`${there.origin}/api/v1/rollouts/current/advance`, {});
    const now = await settledFleet([here, there], percent);
    const members = new Set(now);
    expect(before.filter((vin) => !members.has(vin))).toEqual([]);
    expect(Math.abs((now.length / fleet.length) * 100 - percent)).toBeLessThan(1);
    await database.kill();
    await there.stop("SIGKILL");
    there = await startServer({ dataDir: there.dataDir, env, readyPath: "/health" });
    await whenAnswered(`${there.origin}/health/ready`);
    await expectSame([here, there], percent, now);
    database = await startDatabase(folder);
    for (const { origin } of [here, there])
      await eventually(async () => (await fetch(`${origin}/api/v1/rollouts/current`)).ok);
    await expectSame([here, there], percent, now);
    before = now;
  }
  await send(`${here.origin}/api/v1/rollouts/current/pause`, {});
  expect(await settledFleet([here, there], 75, true)).toEqual(before);
  await send(`${there.origin}/api/v1/rollouts/current/resume`, {});
  expect(await settledFleet([here, there], 75)).toEqual(before);

  const [file, dataDir] = [path.join(here.dataDir, "policy.gz"), emptyDataDir()];
  const { AUDIT_KEY = "" } = process.env;
  expect(await runCommand(["backup", file, "--server", here.origin])).toMatchObject({ code: 0 });
  expect(await runCommand(["restore", file], { DATA_DIR: dataDir, AUDIT_KEY })).toMatchObject({ code: 0 });
  const restored = await startServer({ dataDir, env: aloneEnvironment });
  await expectSame([here, there, restored], 75, before);
  for (const server of [here, there, restored]) await server.stop();
  await database.kill();
});

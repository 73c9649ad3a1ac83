import { rmSync } from "node:fs";
import path from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { servedEntry } from "@/test/support/directory-server";
import {
  aloneEnvironment,
  firstDatabaseDir,
  firstDataDir,
  startDatabase,
  startServer,
  type TestServer,
  impatient,
} from "@/test/support/server";
import { requestTable, eventually } from "@/test/support/vehicle";

const ends: (() => Promise<unknown>)[] = [];
const folder = firstDatabaseDir();
let database: Awaited<ReturnType<typeof startDatabase>>;
let server: TestServer;
beforeAll(async () => {
  database = await startDatabase(folder);
  ends.push(() => database.kill());
  server = await startServer({ env: { ...aloneEnvironment, MONGODB_URI: impatient(database.uri) } });
  ends.push(() => server.stop("SIGKILL"));
});
afterAll(async () => {
  for (const end of ends.reverse()) await end();
});

it("finding G5: pages that fail without a database answer 503, and 200 when it is back", async () => {
  const pages = ["/applications", "/functionalgroups", "/consumermessages", "/vehicledata", "/moduleconfig"];
  const statuses = async () => {
    const answers = await Promise.all(pages.map((page) => fetch(`${server.origin}${page}`)));
    return answers.map(({ status, headers }, place) => [pages[place], status, headers.get("retry-after")]);
  };
  expect(await statuses()).toEqual(pages.map((page) => [page, 200, null]));
  // While the database goes away, and before the processes have noticed.
  const underWay: ReturnType<typeof statuses>[] = [];
  const arriving = setInterval(() => underWay.push(statuses()), 30);
  await database.kill();
  await eventually(async () => (await (await fetch(`${server.origin}/health/ready`)).json()).state === "degraded");
  clearInterval(arriving);
  for (const answers of await Promise.all(underWay)) {
    for (const [page, status] of answers) expect([200, 503], String(page)).toContain(status);
  }
  expect(await statuses()).toEqual(pages.map((page) => [page, 503, "5"]));
  const again = await startDatabase(folder);
  ends.push(() => again.kill());
  await eventually(async () => (await fetch(`${server.origin}/applications`)).status === 200);
});

const started = async (options: Parameters<typeof startServer>[0]) => {
  const one = await startServer(options);
  ends.push(() => one.stop());
  return one;
};

it("F2: without its database it answers vehicles as before and stores nothing, until the flag gives the policy up", async () => {
  const uuid = "a0828ad4-58fd-4c35-9e01-8352675277e0";
  const dataDir = firstDataDir({ withExampleApps: true });
  const call = (server: TestServer, route: string, body?: object) =>
    fetch(`${server.origin}${route}`, {
      ...(body && {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify(body),
      }),
    });
  const before = await started({ dataDir });
  const { data } = await (await call(before, `/api/v1/applications?uuid=${uuid}`)).json();
  const { id, approval_status } = data.applications[0];
  const block = await call(before, "/api/v1/applications/action", { id, approval_status, uuid, blacklist: true });
  expect(block.status).toBe(200);
  await eventually(async () => (await servedEntry(before, uuid)) === null);
  const { table } = await requestTable(before.origin);
  await before.stop();
  rmSync(path.join(dataDir, "database"), { recursive: true });

  const without = await started({ dataDir, port: before.port });
  await eventually(async () => (await (await call(without, "/health/ready")).json()).unexpected_database);
  expect((await requestTable(without.origin)).table).toEqual(table);
  expect(await servedEntry(without, uuid)).toBeNull();
  const why = await eventually(async () => {
    return (await (await call(without, "/api/v1/about")).json()).data.policy.unexpected_database as string | null;
  });
  expect(why).toMatch(/^The database is empty, but vehicles were last served from database .* --accept-empty-database/);
  const group = { base_id: 0, name: "Lost", description: "", is_default: false, is_proprietary_group: false, rpcs: [] };
  const save = await call(without, "/api/v1/groups", group);
  expect([save.status, (await save.json()).meta.message]).toEqual([
    503,
    expect.stringContaining("nothing was changed"),
  ]);
  expect(await (await call(without, "/applications")).text()).toContain("Vehicles keep the last policy");
  expect(await (await call(without, "/metrics")).text()).toMatch(
    /^policy_database_unexpected\{process="vehicle-worker-1"\} 1$/m,
  );
  expect(without.log().filter(({ level, msg }) => level === "error" && msg === why)).not.toEqual([]);
  await without.stop();

  const given = await started({ dataDir, command: ["scripts/start.mjs", "--accept-empty-database"] });
  await eventually(async () => (await servedEntry(given, uuid)) !== null);
  const log = given.log();
  expect(log.filter(({ msg }) => msg === "first data stored")).toHaveLength(1);
  expect(log.some(({ msg }) => msg === "the last policy is given up, as configured")).toBe(true);
  await eventually(async () => !(await (await call(given, "/health/ready")).json()).unexpected_database);
});

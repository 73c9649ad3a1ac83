import { afterAll, describe, expect, it } from "vitest";
import { type FaultyDirectory, startFaultyDirectory } from "@/test/support/faulty-directory/start";
import {
  announce,
  servedEntry,
  settingsOf,
  shownTasks,
  storedVersions,
  taskDone,
} from "@/test/support/directory-server";
import { firstDataDir, startServer, type TestServer } from "@/test/support/server";
import { eventually } from "@/test/support/vehicle";

const ended: (() => Promise<unknown>)[] = [];
const endAll = async () => {
  for (const end of ended.splice(0).reverse()) await end();
};
async function startDirectory(apps: number): Promise<FaultyDirectory> {
  const directory = await startFaultyDirectory({ apps });
  ended.push(() => directory.close());
  return directory;
}
async function start(directory: FaultyDirectory, dataDir = firstDataDir({ withExampleApps: false })) {
  const server = await startServer({ dataDir, env: { ...settingsOf(directory), AUTO_APPROVE_ALL_APPS: "true" } });
  ended.push(() => server.stop());
  return server;
}
const revisionOf = async ({ origin }: TestServer): Promise<number> =>
  (await (await fetch(`${origin}/health/ready`)).json()).revision;
const uuidsOf = (directory: FaultyDirectory) => [...directory.apps.all()].map(({ uuid }) => uuid);

describe("a server and its directory", () => {
  afterAll(endAll);

  it("reads all apps at the start, and follows what the directory announces", async () => {
    const directory = await startDirectory(120);
    const server = await start(directory);
    const { counts } = await taskDone(server);
    expect(counts).toMatchObject({ read: 120, stored: 120, malformed: 0 });
    const uuids = uuidsOf(directory);
    expect([...(await storedVersions(server)).keys()].sort()).toEqual(uuids.toSorted());
    const [changed = "", deleted = "", blacklisted = ""] = uuids.slice(30);
    expect(await eventually(() => isServed(server, changed))).toBe(true);

    const { version_id } = directory.apps.change(changed, { display_names: ["Renamed by its maker"] });
    await announce(directory, server, directory.apps.at(uuids.indexOf(changed)));
    await eventually(async () => JSON.stringify(await servedEntry(server, changed)).includes("Renamed by its maker"));
    expect((await storedVersions(server)).get(changed)).toBe(version_id);

    await announce(directory, server, directory.apps.delete(deleted));
    await eventually(async () => (await servedEntry(server, deleted)) === "default");
    await announce(directory, server, directory.apps.blacklist(blacklisted));
    await eventually(async () => (await servedEntry(server, blacklisted)) === null);

    const { uuid } = directory.apps.add();
    await announce(directory, server, directory.apps.at(directory.apps.count - 1));
    await eventually(() => isServed(server, uuid));
  });
});

describe("4.2: a server in the place of a killed one", () => {
  afterAll(endAll);
  let directory: FaultyDirectory;
  let server: TestServer;

  it("takes over at once what a killed server on this machine had begun", async () => {
    directory = await startDirectory(60);
    directory.faults.set({ kind: "hang", path: "application" });
    const killed = await start(directory);
    await eventually(() => Promise.resolve(directory.faults.hanging > 0));
    await killed.stop("SIGKILL");
    directory.faults.clear();
    server = await start(directory, killed.dataDir);
    expect((await taskDone(server)).counts).toMatchObject({ read: 60 });
  });

  it("SIGTERM: ends a task under way, gives its lock back, and exits with 0", async () => {
    directory.faults.set({ kind: "hang" });
    expect((await fetch(`${server.origin}/api/v1/ui/sync`, { method: "POST" })).status).toBe(200);
    await eventually(() => Promise.resolve(directory.faults.hanging > 0));
    await server.stop();
    expect(server.child.exitCode).toBe(0);
    const lines = server.log();
    expect(lines.filter(({ msg }) => msg === "task interrupted by the stop of the server").length).toBeGreaterThan(0);
    expect(lines.filter(({ msg }) => msg === "task failed")).toEqual([]);
  });
});

describe("without keys", () => {
  afterAll(endAll);

  it("works with the example directory, finds all of its apps stored, and raises no revision", async () => {
    const server = await startServer();
    ended.push(() => server.stop());
    const revision = await revisionOf(server);
    for (const { name } of await shownTasks(server)) await taskDone(server, name);
    expect((await taskDone(server)).counts).toMatchObject({ stored: 0, deleted: 0, blacklisted: 0, malformed: 0 });
    expect(await revisionOf(server)).toBe(revision);
    expect(server.log().some(({ msg }) => msg.includes("the example directory serves made-up apps"))).toBe(true);
  });
});

async function isServed(server: TestServer, uuid: string): Promise<boolean> {
  const entry = await servedEntry(server, uuid);
  return typeof entry === "object" && entry !== null;
}

import path from "node:path";
import { afterAll, expect, it } from "vitest";
import { rpcBody } from "@/test/support/releases";
import {
  aloneEnvironment,
  emptyDataDir,
  freePort,
  startDatabase,
  startServer,
  type TestServer,
} from "@/test/support/server";
import { usesSecondEngine } from "@/test/support/second-engine";
import { eventually, requestTable } from "@/test/support/vehicle";

/* The server on the database of MONGODB_URI. On the second engine only: everything else here is tested on the embedded one. */

const ended: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ended.reverse()) await end();
});

it.runIf(usesSecondEngine)(
  "X12: starts on an empty database, backs it up, publishes, and serves the same table after both were killed",
  async () => {
    const folder = emptyDataDir();
    let database = await startDatabase(folder);
    ended.push(() => database.kill());
    const port = await freePort();
    const start = async () => {
      const server = await startServer({
        port,
        dataDir: emptyDataDir(),
        env: { ...aloneEnvironment, MONGODB_URI: database.uri, BACKUP_DIR: path.join(folder, "backups") },
      });
      ended.push(() => server.stop());
      return server;
    };
    const first = await start();
    const states = await eventually(async () => {
      const now = await backupTasks(first);
      return now.length === 2 && !now.some((state) => ["waiting", "running"].includes(state)) && now;
    });
    expect(states).toEqual(["succeeded", "succeeded"]);
    expect(await groupsOf(first)).not.toContain("Second");
    const rpcs = [rpcBody("Show", ["FULL"])];
    await send(first, "groups", { name: "Second", is_default: false, rpcs, user_consent_prompt: null });
    const release = await send(first, "releases", { name: "On another engine", items: "all" });
    expect(release.data.release.items).toMatchObject([{ family: "group", key: "Second" }]);
    await expect.poll(() => groupsOf(first)).toContain("Second");
    const before = await tableOf(first);

    await database.kill();
    await first.stop("SIGKILL");
    database = await startDatabase(folder);
    expect(await tableOf(await start())).toEqual(before);
  },
);

const tableOf = async ({ origin }: TestServer) => (await requestTable(origin)).table;
const groupsOf = async (server: TestServer) => Object.keys((await tableOf(server)).functional_groupings);

async function backupTasks({ origin }: TestServer): Promise<readonly string[]> {
  const { data }: any = await (await fetch(`${origin}/api/v1/about`)).json();
  const tasks = data.directory.tasks.filter(({ name }: any) => name === "backup" || name === "restore-drill");
  return tasks.map(({ state, last_error: error }: any) => error ?? state);
}

async function send({ origin }: TestServer, route: string, body: object): Promise<any> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${origin}/api/v1/${route}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return JSON.parse(text);
}

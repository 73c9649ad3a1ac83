import { afterAll, expect, it } from "vitest";
import { rpcBody } from "@/test/support/releases";
import { aloneEnvironment, emptyDataDir, startDatabase, startServer, type TestServer } from "@/test/support/server";
import { usesSecondEngine } from "@/test/support/second-engine";
import { askForTable } from "@/test/support/vehicle";

/* The server on the database of MONGODB_URI. On the second engine only: everything else here is tested on the embedded one. */

const ended: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const end of ended.reverse()) await end();
});

it.runIf(usesSecondEngine)(
  "starts on an empty database, publishes, and serves the same after both were killed",
  async () => {
    const folder = emptyDataDir();
    let database = await startDatabase(folder);
    ended.push(() => database.kill());
    const start = async () => {
      const server = await startServer({
        dataDir: emptyDataDir(),
        env: { ...aloneEnvironment, MONGODB_URI: database.uri },
      });
      ended.push(() => server.stop());
      return server;
    };
    const first = await start();
    expect(await groupsOf(first)).not.toContain("Second");
    const rpcs = [rpcBody("Show", ["FULL"])];
    await send(first, "groups", { name: "Second", is_default: false, rpcs, user_consent_prompt: null });
    const release = await send(first, "releases", { name: "On another engine", items: "all" });
    expect(release.data.release.items).toMatchObject([{ family: "group", key: "Second" }]);
    await expect.poll(() => groupsOf(first)).toContain("Second");
    const before = (await askForTable(first.origin)).table;

    await database.kill();
    await first.stop("SIGKILL");
    database = await startDatabase(folder);
    expect((await askForTable((await start()).origin)).table).toEqual(before);
  },
);

const groupsOf = async ({ origin }: TestServer) => Object.keys((await askForTable(origin)).table.functional_groupings);

async function send({ origin }: TestServer, route: string, body: object): Promise<any> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(`${origin}/api/v1/${route}`, { method: "POST", headers, body: JSON.stringify(body) });
  const text = await answer.text();
  expect(answer.status, text).toBeLessThan(300);
  return JSON.parse(text);
}

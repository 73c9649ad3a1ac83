import { once } from "node:events";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aloneEnvironment, firstDatabaseDir, startDatabase, startServer, type TestServer } from "@/test/support/server";
import { eventually } from "@/test/support/vehicle";

const ends: (() => Promise<unknown>)[] = [];
const folder = firstDatabaseDir();
let database: Awaited<ReturnType<typeof startDatabase>>;
let server: TestServer;
beforeAll(async () => {
  database = await startDatabase(folder);
  ends.push(() => database.kill());
  const env = { ...aloneEnvironment, MONGODB_URI: database.uri, MONGODB_TIMEOUT_MS: "500" };
  server = await startServer({ env });
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
  await database.kill();
  await eventually(async () => (await (await fetch(`${server.origin}/health/ready`)).json()).state === "degraded");
  expect(await statuses()).toEqual(pages.map((page) => [page, 503, "5"]));
  const again = await startDatabase(folder);
  ends.push(() => again.kill());
  await eventually(async () => (await fetch(`${server.origin}/applications`)).status === 200);
});

it("finding G5: a connection on which nothing has come does not delay the stop", async () => {
  const socket = connect(server.port, "127.0.0.1");
  await once(socket, "connect");
  const closed = once(socket, "close");
  // Answered after the other connection has been taken: they are taken in order.
  expect((await fetch(`${server.origin}/health`, { headers: { connection: "close" } })).status).toBe(200);
  const begin = performance.now();
  const exit = once(server.child, "exit");
  server.child.kill("SIGTERM");
  await closed;
  expect(await exit).toEqual([0, null]);
  // Before, it was closed after the 8 s that requests under way are given.
  expect(performance.now() - begin).toBeLessThan(8_000);
});

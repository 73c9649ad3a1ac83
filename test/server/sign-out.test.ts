import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, expect, it } from "vitest";
import { aloneEnvironment, firstDatabaseDir, startDatabase, startServer, type TestServer } from "@/test/support/server";

const password = "correct horse battery staple";
let database: Awaited<ReturnType<typeof startDatabase>>;
let servers: readonly [TestServer, TestServer];

beforeAll(async () => {
  database = await startDatabase(firstDatabaseDir());
  const env = {
    ...aloneEnvironment,
    AUTH_TYPE: "basic",
    BASIC_AUTH_PASSWORD: password,
    LISTEN_ADDRESS: "127.0.0.1",
    SESSION_SECRET: "0123456789abcdef".repeat(2),
    MONGODB_URI: database.uri,
  };
  servers = [await startServer({ env }), await startServer({ env })];
});
afterAll(async () => {
  for (const server of servers) await server.stop();
  await database.kill();
});

const json = { "content-type": "application/json" };
async function login({ origin }: TestServer): Promise<string> {
  const answer = await fetch(`${origin}/api/v1/login`, {
    method: "POST",
    headers: json,
    body: JSON.stringify({ password }),
  });
  return answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
}
const statusOf = async ({ origin }: TestServer, headers: Record<string, string>) =>
  (await fetch(`${origin}/api/v1/about`, { headers })).status;

it("finding B5: a copied cookie opens nothing after the sign-out, on another instance within its next look", async () => {
  const [here, there] = servers;
  const cookie = await login(here);
  expect([await statusOf(here, { cookie }), await statusOf(there, { cookie })]).toEqual([200, 200]);
  const left = await fetch(`${here.origin}/api/v1/logout`, {
    method: "POST",
    headers: { cookie, origin: here.origin },
  });
  expect(left.status).toBe(200);
  expect(await statusOf(here, { cookie })).toBe(401);
  const start = performance.now();
  while ((await statusOf(there, { cookie })) !== 401) await wait(50);
  console.log(`refused by the other instance after ${Math.round(performance.now() - start)} ms`);
  const page = await fetch(`${there.origin}/about`, { headers: { cookie }, redirect: "manual" });
  expect([page.status, page.headers.get("location")]).toEqual([307, "/login?redirect=%2Fabout"]);
  expect(await (await fetch(`${there.origin}/api/auth/session`, { headers: { cookie } })).json()).toEqual({});
});

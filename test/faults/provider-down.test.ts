import { afterAll, beforeAll, expect, it } from "vitest";
import { askAt, aBrowser, type LoginProcess, startLoginProcess } from "@/test/support/login";
import { aloneEnvironment, freePort, startServer, type TestServer } from "@/test/support/server";
import { requestTable } from "@/test/support/vehicle";

/* The identity provider goes away while the server runs (`people.md` P5). */

let server: TestServer;
let login: LoginProcess;
beforeAll(async () => {
  const port = await freePort();
  login = await startLoginProcess(`http://127.0.0.1:${port}`);
  const directory = { SHAID_URL: "http://127.0.0.1:9", SHAID_PUBLIC_KEY: "directory", SHAID_SECRET_KEY: "secret" };
  server = await startServer({
    port,
    env: { ...aloneEnvironment, ...login.env, ...directory, LISTEN_ADDRESS: "127.0.0.1" },
  });
});
afterAll(async () => {
  await server.stop();
  await login.stop();
});

const json = { "content-type": "application/json" };
async function call(path: string, headers: Record<string, string>, body?: unknown) {
  const sent = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await fetch(server.origin + path, { ...sent, headers: { ...json, ...headers }, redirect: "manual" });
  return { status: answer.status, text: await answer.text() };
}
const statusOf = async (...sent: Parameters<typeof call>) => (await call(...sent)).status;

it("P5: vehicles, webhooks, tokens and running sessions notice nothing, and a page says so to whoever signs in", async () => {
  const { origin } = server;
  const browser = aBrowser(askAt(origin), origin);
  expect(await browser.signIn("ada")).toBe("/about");
  const session = { cookie: browser.cookie(), origin };
  const made = await call("/api/v1/tokens", session, { name: "Pipeline", role: "viewer", expires_in_days: 1 });
  const { token } = JSON.parse(made.text).data;

  await login.change({ isDown: true });
  expect((await requestTable(origin)).table.functional_groupings).toHaveProperty("Base-4");
  const announced = { entity: "application", action: "UPSERT", uuid: "0c0c0c0c-0000-4000-8000-000000000000" };
  expect(await statusOf("/api/v1/webhook", { public_key: "directory" }, announced)).toBe(200);
  expect(await statusOf("/api/v1/about", { authorization: `Bearer ${token}` })).toBe(200);
  expect(await statusOf("/api/v1/about", session)).toBe(200);
  expect(await statusOf("/functionalgroups", session)).toBe(200);

  const newcomer = aBrowser(askAt(origin), origin);
  const page = new URL(await newcomer.begin(), origin);
  expect(page.origin).toBe(origin);
  expect((await call(page.pathname + page.search, {})).text).toContain("The identity provider cannot be reached");

  await login.change({ isDown: false });
  expect(await newcomer.signIn("vera")).toBe("/about");
});

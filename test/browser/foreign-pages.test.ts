import { createServer, type Server } from "node:http";
import { chromium, type Browser } from "playwright-core";
import { afterAll, beforeAll, expect, it } from "vitest";
import { chromiumPath } from "@/test/support/chromium";
import { aloneEnvironment, freePort, startServer, type TestServer } from "@/test/support/server";

/* What pages of other sites get out of this server through somebody's browser (`api.md` 0.6). */

const password = "correct horse battery staple";
const elsewhere = "elsewhere.example";
let browser: Browser;
let foreign: Server;
let foreignPort: number;
/** By their settings: a start costs more than most of what is tried here. */
const servers = new Map<string, TestServer>();

beforeAll(async () => {
  foreignPort = await freePort();
  foreign = createServer((_, response) => {
    response.writeHead(200, { "Content-Type": "text/html" }).end("<!doctype html><title>elsewhere</title>");
  }).listen(foreignPort, "127.0.0.1");
  const args = ["--no-sandbox", "--disable-gpu", `--host-resolver-rules=MAP ${elsewhere} 127.0.0.1`];
  browser = await chromium.launch({ executablePath: chromiumPath(), headless: true, args });
});
afterAll(async () => {
  for (const server of servers.values()) await server.stop();
  await browser.close();
  foreign.close();
});

const start = async (env: Record<string, string>) => {
  const key = JSON.stringify(env);
  const server =
    servers.get(key) ?? (await startServer({ env: { ...aloneEnvironment, LISTEN_ADDRESS: "127.0.0.1", ...env } }));
  servers.set(key, server);
  return server;
};

async function readState({ origin }: TestServer): Promise<unknown> {
  const audit = await fetch(`${origin}/api/v1/audit`, { headers: { "basic-auth-password": password } });
  const { events } = ((await audit.json()) as { data: { events: { action: string }[] } }).data;
  // Whose session a page tries to use has signed in; nothing else may have happened, failed sign-ins included.
  return events.filter(({ action }) => action !== "login.succeed");
}

async function attack(pageOrigin: string, target: string, signedIn: boolean): Promise<{ read: string[] }> {
  const context = await browser.newContext();
  try {
    if (signedIn) {
      expect((await context.request.post(`${target}/api/v1/login`, { data: { password } })).status()).toBe(200);
    }
    const page = await context.newPage();
    await page.goto(pageOrigin);
    return await page.evaluate(async (origin) => {
      const read: string[] = [];
      const change = JSON.stringify({ name: "Planted", is_default: false, rpcs: [], description: null });
      const bodies = [
        new Blob([change]),
        new Blob([change], { type: "text/plain" }),
        new URLSearchParams({ name: "Planted", is_default: "false" }),
      ];
      const attempts: [string, RequestInit][] = [
        ["/api/v1/about", {}],
        ["/api/v1/groups", { credentials: "include" }],
        ["/applications", { credentials: "include" }],
        ...bodies.flatMap((body) =>
          (["no-cors", "cors"] as const).map((mode): [string, RequestInit] => [
            "/api/v1/groups",
            { method: "POST", mode, body, credentials: "include" },
          ]),
        ),
        ["/api/v1/logout", { method: "POST", mode: "no-cors", credentials: "include" }],
        ...Array.from({ length: 12 }, (): [string, RequestInit] => [
          "/api/auth/password",
          { method: "POST", mode: "no-cors", body: new URLSearchParams({ password: "guess" }) },
        ]),
      ];
      for (const [path, init] of attempts) {
        try {
          const answer = await fetch(origin + path, init);
          if (answer.type !== "opaque" && answer.ok) read.push(path);
        } catch {
          // What could not be read.
        }
      }
      const sent = new Promise((resolve) => setTimeout(resolve, 500));
      const form = document.createElement("form");
      Object.assign(form, { method: "post", action: `${origin}/api/v1/logout`, target: "frame" });
      const frame = Object.assign(document.createElement("iframe"), { name: "frame" });
      document.body.append(frame, form);
      form.submit();
      await sent;
      return { read };
    }, target);
  } finally {
    await context.close();
  }
}

it.each([
  ["not set", {}, false],
  ["none", { AUTH_TYPE: "none" }, false],
  ["basic", { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password }, false],
  ["basic, signed in", { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password }, true],
])("finding B1: a page of another site reads nothing and changes nothing: AUTH_TYPE %s", async (_, env, signedIn) => {
  const target = await start(env);
  const before = await readState(target);
  for (const page of [`http://127.0.0.1:${foreignPort}`, `http://${elsewhere}:${foreignPort}`]) {
    expect(await attack(page, target.origin, signedIn)).toEqual({ read: [] });
  }
  expect(await readState(target)).toEqual(before);
  // Twelve wrong passwords were sent from this address, and none counts.
  const login = {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ password }),
  };
  expect((await fetch(`${target.origin}/api/v1/login`, login)).status).toBe(200);
});

it("finding B1: the form of the login page works without scripts, also where the browser trusts the line less", async () => {
  const target = await start({ AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: password });
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`http://${elsewhere}:${target.port}/login?redirect=%2Fabout`);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.waitForURL("**/about");
  await context.close();
});

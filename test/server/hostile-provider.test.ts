import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { askAt, aBrowser, type LoginProcess, startLoginProcess } from "@/test/support/login";
import { aloneEnvironment, freePort, startServer, type TestServer } from "@/test/support/server";

/* Finding A4: answers of 200 MB from the identity provider, at a server as it runs. The rest: test/api/hostile-provider.test.ts. */

let server: TestServer;
let login: LoginProcess;
beforeAll(async () => {
  const port = await freePort();
  login = await startLoginProcess(`http://127.0.0.1:${port}`);
  server = await startServer({ port, env: { ...aloneEnvironment, ...login.env, LISTEN_ADDRESS: "127.0.0.1" } });
});
afterAll(async () => {
  await server.stop();
  await login.stop();
});

/** The most memory that the console has held so far, in MiB; null on systems that do not tell. */
function readPeak(): number | null {
  const pid = server.log().findLast((line) => line.process === "console")?.pid;
  if (process.platform !== "linux") return null;
  return Number(/VmHWM:\s*(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1]) / 1024;
}

it("200 MB at the description, the tokens and the keys leave the memory of the console as it is, and sign-in works after", async () => {
  const { origin } = server;
  const before = aBrowser(askAt(origin), origin);
  expect(await before.signIn("ada")).toBe("/about");
  const signIn = async () => {
    const browser = aBrowser(askAt(origin), origin);
    const address = await browser.begin();
    return address.startsWith("/") ? address : browser.finish(await browser.choose(address, "vera"));
  };
  for (const path of ["/.well-known/openid-configuration", "/token", "/jwks"]) {
    await login.change({ hostile: { path, how: "huge", times: 6 } });
    const ended: string[] = [];
    // Descriptions and keys are kept for a moment: until all answers were given.
    await expect
      .poll(async () => {
        ended.push(...(await Promise.all(Array.from({ length: 4 }, signIn))));
        return (await login.change({})).left;
      })
      .toBe(0);
    expect(ended.filter((location) => location.includes("problem=provider-down"))).not.toEqual([]);
    await login.change({ hostile: null });
  }
  const peak = readPeak();
  console.info(`memory of the console, MiB: ${peak}`);
  expect(peak ?? 0).toBeLessThan(400);
  expect(await aBrowser(askAt(origin), origin).signIn("vera")).toBe("/about");
  const me = await fetch(`${origin}/api/v1/me`, { headers: { cookie: before.cookie() } });
  expect(me.status).toBe(200);
});

import { randomBytes } from "node:crypto";
import { mkdirSync, readdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { emptyDataDir, startServer, type TestServer } from "@/test/support/server";

const bundle = randomBytes(3_000_000);
const name = `${"a1".repeat(16)}.zip`;
const dataDir = emptyDataDir();
const incoming = path.join(dataDir, "bundles", ".incoming");
let server: TestServer;

beforeAll(async () => {
  mkdirSync(incoming, { recursive: true });
  writeFileSync(path.join(dataDir, "bundles", name), bundle);
  const left = `${hostname().replaceAll(/[^\w-]/g, "_")}.999999999.${"0".repeat(16)}.${"0".repeat(16)}.part`;
  writeFileSync(path.join(incoming, left), "what a crash left behind");
  const env = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "a long password", LISTEN_ADDRESS: "127.0.0.1" };
  server = await startServer({ dataDir, env: { ...env, BUNDLE_HANDLER: "local" } });
});
afterAll(() => server.stop());

describe("bundles that are kept here (directory.md section 8)", () => {
  it("are served to everybody, whole and with their length", async () => {
    const response = await fetch(`${server.origin}/bundles/${name}`, { redirect: "manual" });
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-length": String(bundle.length),
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(bundle)).toBe(true);
  });

  it("answer HEAD", async () => {
    const response = await fetch(`${server.origin}/bundles/${name}`, { method: "HEAD" });
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(bundle.length)]);
  });

  it("come over kept connections, one after the other, and are logged", async () => {
    const answers = [0, 1, 2].map(() => fetch(`${server.origin}/bundles/${name}?again`));
    for (const answer of answers) expect((await (await answer).arrayBuffer()).byteLength).toBe(bundle.length);
    await expect.poll(() => server.log().filter(({ path: logged }) => logged === `/bundles/${name}`).length).toBe(5);
  });

  it("are all that is served: no path leads elsewhere", async () => {
    const paths = [
      "%2e%2e%2fpolicy-snapshot.json",
      "..%2f..%2fpackage.json",
      ".incoming",
      `${"0".repeat(32)}.zip`,
      "%00",
    ];
    for (const one of paths) {
      const { status } = await fetch(`${server.origin}/bundles/${one}`, { redirect: "manual" });
      expect([one, [400, 404].includes(status)]).toEqual([one, true]);
    }
    const unknown = await fetch(`${server.origin}/bundles/${"0".repeat(32)}.zip`);
    expect((await unknown.json()).meta).toMatchObject({ code: 404, message: "Not found" });
    const removal = await fetch(`${server.origin}/bundles/${name}`, { method: "DELETE" });
    expect([removal.status, removal.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("a reader that goes away in the middle leaves the server well", async () => {
    for (let round = 0; round < 5; round += 1) {
      const stop = new AbortController();
      await (await fetch(`${server.origin}/bundles/${name}`, { signal: stop.signal })).body?.getReader().read();
      stop.abort();
    }
    expect((await fetch(`${server.origin}/bundles/${name}`)).status).toBe(200);
  });

  it("downloads that a crash left behind are removed at the start", async () => {
    await expect.poll(() => readdirSync(incoming), { timeout: 60_000 }).toEqual([]);
  });
});

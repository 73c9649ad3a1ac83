import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import path from "node:path";
import { afterEach, describe, expect, it } from "vitest";
import * as route from "@/app/bundles/[name]/route";
import { handleBundle } from "@/lib/apps/bundles/handlers";
import { replaceSettings, type Settings } from "@/lib/platform/settings";
import { bundleSettings, endBundleHosts, filesOf, startBundleHost } from "@/test/support/bundle-host";
import { aRequest, readAnswer } from "@/test/support/requests";
import { buildZip } from "@/test/support/zip";

endBundleHosts();
afterEach(() => replaceSettings(null));

const zip = buildZip([{ name: "index.html", content: "x".repeat(200_000) }, { name: "empty" }]);
const env = { BUNDLE_HANDLER: "local", BUNDLE_ALLOW_PRIVATE: "true" };

async function keep(settings: Settings) {
  const host = await startBundleHost((_request, response) => response.end(zip));
  const handled = await handleBundle(`${host.url}/app.zip`, settings);
  return { handled, name: handled.url.slice(handled.url.lastIndexOf("/") + 1) };
}

async function keepBy(settings: Settings): Promise<string> {
  const { name } = await keep(settings);
  replaceSettings(settings);
  return name;
}

const ask = (name: string, method: "GET" | "HEAD" = "GET") =>
  route[method](aRequest("/bundles/x", { method }), { params: Promise.resolve({ name }) });

describe("BUNDLE_HANDLER=local (directory.md section 8)", () => {
  it("keeps the file under a random name and gives the address it is served under", async () => {
    const settings = bundleSettings(env);
    const { handled, name } = await keep(settings);
    expect(handled).toEqual({
      url: `https://policy.example.com/bundles/${name}`,
      sizeCompressedBytes: zip.length,
      sizeDecompressedBytes: 200_000,
    });
    expect(name).toMatch(/^[0-9a-f]{32}\.zip$/);
    expect(readFileSync(path.join(settings.bundleDir, name)).equals(zip)).toBe(true);
    expect((await keep(settings)).name).not.toBe(name);
    expect(filesOf(settings)).toHaveLength(2);
  });

  it("keeps nothing of a bundle that cannot be used", async () => {
    const settings = bundleSettings(env);
    const host = await startBundleHost((_request, response) => response.end(zip.subarray(0, -5)));
    await expect(handleBundle(host.url, settings)).rejects.toThrow("damaged");
    expect(filesOf(settings)).toEqual([]);
  });

  it("refuses when the folder cannot be written", async () => {
    const settings = bundleSettings(env);
    writeFileSync(path.join(settings.dataDir, "bundles"), "in the way");
    await expect(keep(settings)).rejects.toThrow(/^The bundle cannot be kept on the disk \(\w+\)$/);
  });
});

describe("GET /bundles/<name>", () => {
  it("sends the file with its length, to be kept for ever", async () => {
    const signIn = { AUTH_TYPE: "basic", BASIC_AUTH_PASSWORD: "open sesame, please" };
    const response = await ask(await keepBy(bundleSettings({ ...env, ...signIn })));
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      "content-type": "application/zip",
      "content-length": String(zip.length),
      "cache-control": "public, max-age=31536000, immutable",
      "x-content-type-options": "nosniff",
      "content-disposition": "attachment",
    });
    expect(Buffer.from(await response.arrayBuffer()).equals(zip)).toBe(true);
  });

  it("answers HEAD with the same headers and without a body", async () => {
    const response = await ask(await keepBy(bundleSettings(env)), "HEAD");
    expect([response.status, response.headers.get("content-length")]).toEqual([200, String(zip.length)]);
    expect(await response.text()).toBe("");
  });

  it("stays reachable under another handler", async () => {
    const settings = bundleSettings(env);
    const { name } = await keep(settings);
    replaceSettings({ ...settings, bundleHandler: "none" });
    expect((await ask(name)).status).toBe(200);
  });

  it("ends with the reader", async () => {
    const reader = (await ask(await keepBy(bundleSettings(env)))).body!.getReader();
    expect((await reader.read()).value?.length).toBeGreaterThan(0);
    await reader.cancel();
  });

  it("answers 404 in the envelope for every other name", async () => {
    const settings = bundleSettings(env);
    const unknown = `${"0".repeat(32)}.zip`;
    const folder = `${"1".repeat(32)}.zip`;
    mkdirSync(path.join(settings.bundleDir, folder), { recursive: true });
    writeFileSync(path.join(settings.bundleDir, "readable.zip"), "secret");
    writeFileSync(path.join(settings.dataDir, `${"2".repeat(32)}.zip`), "secret");
    replaceSettings(settings);
    const names = [
      ...[unknown, folder, "readable.zip", "", ".", "..", ".incoming", "x".repeat(100_000)],
      ...["../", "..\\", "%2e%2e%2f"].map((above) => `${above}${"2".repeat(32)}.zip`),
      ...[`${unknown}\0`, `${unknown}\n`, unknown.toUpperCase(), `x${unknown}`],
    ];
    for (const name of names) {
      const response = await ask(name);
      expect([name, response.status]).toEqual([name, 404]);
      expect((await readAnswer(response)).meta.message).toBe("Not found");
    }
    expect((await route.GET(aRequest("/bundles/x"))).status).toBe(404);
  });

  it("answers 405 for other methods", async () => {
    const response = await route.DELETE(aRequest("/bundles/x", { method: "DELETE" }));
    expect([response.status, response.headers.get("allow")]).toEqual([405, "GET, HEAD"]);
  });

  it("answers a neutral 500 when the folder cannot be read", async () => {
    const settings = bundleSettings(env);
    const loop = path.join(settings.dataDir, "loop");
    symlinkSync(loop, loop);
    expect(() => statSync(loop)).toThrow();
    replaceSettings({ ...settings, bundleDir: loop });
    const response = await ask(`${"0".repeat(32)}.zip`);
    expect((await readAnswer(response)).meta).toMatchObject({ code: 500, message: "Internal server error" });
  });
});

import { readFileSync } from "node:fs";
import path from "node:path";
import { expect, it } from "vitest";
import { ownPaths } from "@/lib/policy/table/own-endpoints";
import { readSeed, buildRpcSpecification } from "@/lib/exchange/seed/files";
import { seedFiles } from "@/lib/exchange/seed/schema";
import { buildSeedModuleConfig } from "@/lib/exchange/seed/rules";

const root = path.resolve(import.meta.dirname, "../../../..");
const config = buildSeedModuleConfig(await readSeed(root, seedFiles.moduleConfig), "https://policy.example.com");

it("finding A8: the default icon of the lock screen is a picture that this server has", () => {
  const { origin, pathname } = new URL(config.endpoints.lock_screen_icon_url);
  expect(origin).toBe("https://policy.example.com");
  const picture = readFileSync(path.join(root, "public", pathname));
  expect(picture.subarray(0, 8).toString("latin1")).toBe("\u0089PNG\r\n\u001a\n");
  // Width and height of the header: square, and large enough for a tablet.
  expect([picture.readUInt32BE(16), picture.readUInt32BE(20)]).toEqual([512, 512]);
});

it("F12: all addresses of the first module config are this server's own", () =>
  expect(config.ownEndpoints).toEqual(Object.keys(ownPaths)));

it("finding A8: no parameter of the first specification is stored as no array", async () => {
  const stored = JSON.stringify(buildRpcSpecification(await readSeed(root, seedFiles.rpcSpec), new Date()));
  expect(stored).not.toContain('"array":false');
  expect(stored).toContain('"array":true');
});

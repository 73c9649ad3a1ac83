import { mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { once } from "node:events";
import Module, { createRequire } from "node:module";
import { createServer } from "node:net";
import path from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { resolveLinksOfNext } from "@/server/framework";
import { temporaryFolder } from "@/test/support/temporary-folder";

it("N4: Next's bundles get the same copy of the driver as the console, also after a look at a socket", async () => {
  const root = realpathSync(temporaryFolder());
  const [packages, links] = [path.join(root, "node_modules"), path.join(root, ".next/node_modules")];
  for (const folder of [path.join(packages, "driver"), links]) mkdirSync(folder, { recursive: true });
  writeFileSync(path.join(packages, "driver/index.js"), "module.exports = { connections: [] };");
  symlinkSync("../../node_modules/driver", path.join(links, "driver-1a2b"));
  const socket = path.join(root, "console.sock");
  const server = createServer().listen(socket);
  await once(server, "listening");
  const loader = Module as unknown as { _resolveFilename: unknown };
  const before = loader._resolveFilename;
  onTestFinished(() => {
    loader._resolveFilename = before;
    server.close();
  });

  resolveLinksOfNext();
  const ofConsole: unknown = createRequire(path.join(root, "dist/console.js"))("driver");
  const bundle = createRequire(path.join(root, ".next/server/chunks/route.js"));
  statSync(socket);
  expect(bundle("driver-1a2b")).toBe(ofConsole);
});

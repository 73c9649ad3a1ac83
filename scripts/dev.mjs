/** `npm run dev`: only the console, on the port, with Next in development. Pages and routes reload, `server/` does not. */
import { rmSync } from "node:fs";
import { bundleServer } from "./bundle.mjs";
import { isBuildOfSources } from "./stamp.mjs";

process.chdir(new URL("..", import.meta.url).pathname);
process.env.NODE_ENV = "development";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
if (!isBuildOfSources("dist/stamp")) {
  // Pages of an older build don't fit the new bundle, so `npm start` has to build.
  rmSync("dist/stamp", { force: true });
  await bundleServer();
}
await import("../dist/main.js");

/** Builds the pages and route handlers (`.next`) and the server entry (`dist`), and writes a stamp of their sources. */
import { spawnSync } from "node:child_process";
import { rmSync, writeFileSync } from "node:fs";
import { bundleServer } from "./bundle.mjs";
import { sourceStamp } from "./stamp.mjs";

const stamp = sourceStamp();
rmSync("dist", { recursive: true, force: true });
// First, because Next loads pages to look at them, and they load `dist/shared.js`.
await bundleServer();
const next = spawnSync(process.execPath, ["node_modules/next/dist/bin/next", "build"], {
  stdio: "inherit",
  env: { ...process.env, NODE_ENV: "production", NEXT_TELEMETRY_DISABLED: "1" },
});
if (next.status !== 0) process.exit(next.status ?? 1);
// Last, so that an interrupted build is repeated.
writeFileSync("dist/stamp", stamp);

/** `npm start`: builds if the sources have no build, then runs `main`, which starts the other processes. */
import { spawnSync } from "node:child_process";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isBuildOfSources } from "./stamp.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
process.env.NODE_ENV ||= "production";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";

if (!isBuildOfSources("dist/stamp")) {
  const build = spawnSync(process.execPath, ["scripts/build.mjs"], { stdio: "inherit" });
  if (build.status !== 0) process.exit(build.status ?? 1);
}
// Tests build once for all servers that they start.
if (!process.argv.includes("--build-only")) await import(pathToFileURL(path.join(root, "dist/main.js")).href);

/** `npm start`: builds if the sources have no build, then runs `main`, which starts the other processes. */
import { spawnSync } from "node:child_process";
import { closeSync, mkdirSync, openSync, readFileSync } from "node:fs";
import path from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { isBuildOfSources } from "./stamp.mjs";

const root = fileURLToPath(new URL("..", import.meta.url));
process.chdir(root);
process.env.NODE_ENV ||= "production";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";

/** Not in `dist`, which a build empties. */
const buildLog = "node_modules/.cache/build.log";
const shownLines = 40;

if (!isBuildOfSources("dist/stamp")) {
  // Standard output is the log's.
  console.error(`Building, which takes a minute or two. Output: ${buildLog}`);
  mkdirSync(path.dirname(buildLog), { recursive: true });
  const output = openSync(buildLog, "w");
  const build = spawnSync(process.execPath, ["scripts/build.mjs"], { stdio: ["ignore", output, output] });
  closeSync(output);
  if (build.status !== 0) {
    console.error(readFileSync(buildLog, "utf8").trimEnd().split("\n").slice(-shownLines).join("\n"));
    console.error(`The build failed. All of its output: ${buildLog}`);
    process.exit(build.status ?? 1);
  }
}
// Tests build once for all servers that they start.
if (!process.argv.includes("--build-only")) await import(pathToFileURL(path.join(root, "dist/main.js")).href);

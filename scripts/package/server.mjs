/** `node server.js` of an unpacked package: applies the settings that tools set in a checkout, then runs `main`. */
import { readFileSync } from "node:fs";

const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
if (major < 20 || (major === 20 && minor < 19)) {
  process.stderr.write(`This server needs Node 20.19 or newer; this is ${process.versions.node}\n`);
  process.exit(1);
}
process.chdir(import.meta.dirname);
process.env.NODE_ENV ||= "production";
process.env.NEXT_TELEMETRY_DISABLED ??= "1";
// Instead of `next.config.js`, for which Next would load its tools. Its own standalone server does the same.
const { config } = JSON.parse(readFileSync(".next/required-server-files.json", "utf8"));
process.env.__NEXT_PRIVATE_STANDALONE_CONFIG = JSON.stringify(config);
await import("./dist/main.js");

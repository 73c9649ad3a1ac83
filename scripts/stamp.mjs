import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What a build is made from. */
const sources = ["app", "embedded", "lib", "models", "public", "scripts", "server"];
const files = [
  "instrumentation.ts",
  "proxy.ts",
  "next.config.js",
  "postcss.config.mjs",
  "package-lock.json",
  "tsconfig.json",
];

/** A digest of everything a build is made from: equal digests need no new build, with or without version control. */
export function sourceStamp() {
  const hash = createHash("sha256").update(process.version);
  for (const file of [...files, ...sources.flatMap(listFiles)].sort()) {
    try {
      const content = readFileSync(file);
      hash.update(`${file}\0${content.length}\0`).update(content);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  return hash.digest("hex");
}

function listFiles(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name));
}

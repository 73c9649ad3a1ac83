import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** Folders that a build depends on. */
const sources = ["app", "embedded", "example-directory", "lib", "models", "public", "scripts", "server"];
const files = [
  "instrumentation.ts",
  "instrumentation-client.ts",
  "proxy.ts",
  "next.config.js",
  "postcss.config.mjs",
  "package-lock.json",
  "tsconfig.json",
];

/** Node's version and a digest of everything a build depends on. If both are unchanged, no new build is needed. */
export function sourceStamp(root = ".") {
  const hash = createHash("sha256");
  for (const file of [...files, ...sources.flatMap((folder) => listFiles(root, folder))].sort()) {
    try {
      const content = readFileSync(path.join(root, file));
      hash.update(`${file}\0${content.length}\0`).update(content);
    } catch (error) {
      if (error.code !== "ENOENT") throw error;
    }
  }
  return `${process.version} ${hash.digest("hex")}`;
}

/** Whether the build is up to date, by its stamp. False without a build. */
export function isBuildOfSources(stampFile, root = ".") {
  try {
    return readFileSync(stampFile, "utf8") === sourceStamp(root);
  } catch {
    return false;
  }
}

function listFiles(root, folder) {
  const start = path.join(root, folder);
  if (!existsSync(start)) return [];
  const found = readdirSync(start, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return found.map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)));
}

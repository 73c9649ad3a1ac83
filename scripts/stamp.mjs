import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import path from "node:path";

/** What a build is made from. */
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

/** The version of Node and a digest of everything a build is made from: equal ones need no new build. */
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

/** Whether a build is one of the present sources, by the stamp that it noted; false also without a build. */
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

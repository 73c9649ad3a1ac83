import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
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

/**
 * Whether a build is one of the present sources. Most starts follow a start of the same build, so times are compared
 * first.
 * @param {string} stampFile where the build noted its stamp
 * @param {string} root
 * @returns {boolean} false also without a build
 */
export function isBuildOfSources(stampFile, root = ".") {
  try {
    const [stamp, builtAt] = [readFileSync(stampFile, "utf8"), statSync(stampFile).mtimeMs];
    // A clock that was ahead when the build was made says nothing about what came after.
    const isTimeKnown = builtAt < Date.now() && stamp.startsWith(`${process.version} `);
    return (isTimeKnown && !isTouchedSince(builtAt, root)) || stamp === sourceStamp(root);
  } catch {
    return false;
  }
}

/** By the time of the last change of any kind: that of the content can be set, and is by tools that copy or unpack. */
function isTouchedSince(time, root) {
  const entries = sources.flatMap((folder) => listEntries(root, folder).map(pathOf));
  const paths = [...[...files, ...sources].map((name) => path.join(root, name)), ...entries];
  return paths.some((name) => (statSync(name, { throwIfNoEntry: false })?.ctimeMs ?? 0) >= time);
}

function listFiles(root, folder) {
  const found = listEntries(root, folder).filter((entry) => entry.isFile());
  return found.map((entry) => path.relative(root, pathOf(entry)));
}

function listEntries(root, folder) {
  const start = path.join(root, folder);
  return existsSync(start) ? readdirSync(start, { recursive: true, withFileTypes: true }) : [];
}

function pathOf(entry) {
  return path.join(entry.parentPath, entry.name);
}

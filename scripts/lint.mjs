/**
 * `npm run lint`: oxlint on what has changed since it last found nothing, as Prettier and the compiler do with their caches.
 * What a changed type means to files that stay the same it sees without its cache only.
 */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";

process.chdir(path.join(import.meta.dirname, ".."));
const cacheFile = path.join("node_modules", ".cache", "lint.json");
const hashOf = (...files) => {
  const hash = createHash("sha256");
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest("base64url");
};

/** Source files by their content, and what they are judged by; null where git does not know them. */
function readPresent() {
  const listed = spawnSync("git", ["ls-files", "-co", "--exclude-standard", "*.js", "*.mjs", "*.ts", "*.tsx"], {
    encoding: "utf8",
  });
  if (listed.status !== 0) return null;
  const files = listed.stdout.split("\n").filter((file) => file !== "" && existsSync(file));
  return {
    rules: hashOf(".oxlintrc.json", "scripts/lint-rules.mjs", "tsconfig.json", "package-lock.json"),
    files: Object.fromEntries(files.map((file) => [file, hashOf(file)])),
  };
}

function readCache() {
  try {
    return JSON.parse(readFileSync(cacheFile, "utf8"));
  } catch {
    return { rules: "", files: {} };
  }
}

const [present, cache] = [readPresent(), readCache()];
const isKnown = present !== null && present.rules === cache.rules;
const changed = isKnown
  ? Object.keys(present.files).filter((file) => present.files[file] !== cache.files[file])
  : ["."];
if (changed.length > 0) {
  const { status } = spawnSync("oxlint", changed, { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
if (present !== null) {
  mkdirSync(path.dirname(cacheFile), { recursive: true });
  writeFileSync(cacheFile, JSON.stringify(present));
}

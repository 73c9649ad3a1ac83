/**
 * `npm run phrases`: searches documents and program texts (pages, errors, help) for the phrases in `phrases.mjs`. Old
 * occurrences are in `phrases-left.txt`, which may only shrink: `--write` removes fixed ones, and creates the list if it is
 * missing.
 */
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import { findPhrases } from "./phrases.mjs";
import { listFiles } from "./sources.mjs";

const root = path.join(import.meta.dirname, "..");
const listFile = path.join(root, "scripts/phrases-left.txt");
const places = listFiles(root)
  .filter(
    (file) =>
      !["CHANGELOG.md", "WRITING_STYLE.md"].includes(file) &&
      /^\.env\.example$|\.md$|^(app|bin|embedded|example-\w+|lib|server)\/.*\.(ts|tsx|mjs)$/.test(file),
  )
  .flatMap((file) => findPhrases(file, readFileSync(path.join(root, file), "utf8")));
const found = new Set(places.map(({ entry }) => entry));
const isNew = !existsSync(listFile);
const left = isNew ? [...found].sort() : readFileSync(listFile, "utf8").split("\n").filter(Boolean);

if (process.argv.includes("--write")) {
  const still = left.filter((entry) => found.has(entry));
  writeFileSync(listFile, still.map((entry) => `${entry}\n`).join(""));
  console.log(`${still.length} phrases left, ${left.length - still.length} fewer than before`);
} else {
  const fresh = places.filter(({ entry }) => !left.includes(entry));
  const gone = left.filter((entry) => !found.has(entry));
  for (const { file, say, entry } of fresh) console.log(`${file}: ${entry}\n    Write: ${say}`);
  for (const entry of gone) console.log(`gone from everywhere: ${entry}`);
  if (gone.length > 0) console.log("Take it out of the list: node scripts/check-phrases.mjs --write");
  console.log(`${left.length} phrases left, ${fresh.length} new, ${gone.length} gone`);
  process.exitCode = fresh.length + gone.length > 0 ? 1 : 0;
}

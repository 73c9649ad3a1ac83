import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const endings = ["", ".ts", ".tsx", ".mjs"];

/**
 * @typedef {object} Import what a file imports or re-exports
 * @property {string} name as written
 * @property {string | null} file relative to the root; null for packages and files that are no source
 * @typedef {{ readonly file: string, readonly text: string, readonly imports: readonly Import[] }} Source
 */

/**
 * The project's files known to git, including uncommitted ones, without deleted ones.
 * @param {string} root of the project
 * @returns {string[]} relative to the root, sorted
 */
export function listFiles(root) {
  const options = { cwd: root, encoding: "utf8", maxBuffer: 2 ** 26 };
  const listed = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], options);
  return [...new Set(listed.split("\0"))].filter((file) => file !== "" && existsSync(path.join(root, file))).sort();
}

/**
 * Reads sources and their imports: static, dynamic, or of types.
 * @param {string} root of the project
 * @param {(file: string) => boolean} isWanted default: all but the tests
 * @returns {Source[]} files relative to the root
 */
export function readSources(root, isWanted = (file) => !file.startsWith("test/")) {
  const files = listFiles(root).filter((file) => /\.(ts|tsx|mjs)$/.test(file) && isWanted(file));
  const known = new Set(files);
  return files.map((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    const { importedFiles } = ts.preProcessFile(text, true, true);
    return {
      file,
      text,
      imports: importedFiles.map(({ fileName: name }) => ({ name, file: resolve(file, name, known) })),
    };
  });
}

function resolve(from, name, known) {
  const base = name.startsWith("@/") ? name.slice(2) : path.posix.join(path.posix.dirname(from), name);
  if (!name.startsWith("@/") && !name.startsWith(".")) return null;
  return endings.map((ending) => base + ending).find((file) => known.has(file)) ?? null;
}

/**
 * The room of a file: the first folder below `lib`, otherwise the first folder. Files directly in `lib` are in the room
 * `lib`; those in the project's root are in none.
 * @param {string} file relative to the root
 * @returns {string | null}
 */
export function roomOf(file) {
  const [first, second, ...more] = file.split("/");
  if (second === undefined) return null;
  return first === "lib" && more.length > 0 ? `lib/${second}` : first;
}

/**
 * Finds cycles: groups of names that all reach each other.
 * @param {ReadonlyMap<string, Iterable<string>>} arrows
 * @returns {string[][]} without names that only point at themselves; sorted by their names
 */
export function findCircles(arrows) {
  const reached = new Map([...arrows.keys()].map((name) => [name, reach(name, arrows)]));
  const circles = new Map();
  for (const [name, others] of reached) {
    const mates = [...others].filter((other) => other !== name && reached.get(other)?.has(name)).concat(name);
    if (mates.length > 1) circles.set(mates.sort().join(), mates);
  }
  return [...circles.values()].sort();
}

/** All names reachable from a name. */
function reach(start, arrows) {
  const seen = new Set();
  const open = [start];
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of arrows.get(at) ?? []) {
      if (next === at || seen.has(next)) continue;
      seen.add(next);
      open.push(next);
    }
  }
  return seen;
}

/**
 * The arrows between files, or between their groups; a group of null leaves a file out.
 * @param {readonly Source[]} sources
 * @param {(file: string) => string | null} groupOf
 * @returns {Map<string, Set<string>>}
 */
export function listArrows(sources, groupOf = (file) => file) {
  const arrows = new Map();
  for (const { file, imports } of sources) {
    const from = groupOf(file);
    if (from === null) continue;
    const known = arrows.get(from) ?? arrows.set(from, new Set()).get(from);
    for (const { file: to } of imports) {
      const group = to === null ? null : groupOf(to);
      if (group !== null && group !== from) known.add(group);
    }
  }
  return arrows;
}

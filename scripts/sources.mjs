import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

/** The folders of programs and tools, without tests. */
export const sourceFolders = [
  "app",
  "lib",
  "models",
  "server",
  "embedded",
  "example-directory",
  "example-login",
  "scripts",
  "bench",
];
/** What Next wants beside them. */
const rootFiles = ["instrumentation.ts", "proxy.ts"];
const endings = ["", ".ts", ".tsx", ".mjs"];

/**
 * @typedef {object} Import what a file imports, or exports again
 * @property {string} name as written
 * @property {string | null} file relative to the root; null for packages and what is no source
 *
 * @typedef {{ readonly file: string, readonly text: string, readonly imports: readonly Import[] }} Source
 */

/**
 * Reads all sources with what they import: statically, dynamically, or as types.
 *
 * @param {string} root of the project
 * @returns {Source[]} files relative to the root
 */
export function readSources(root) {
  const files = [...rootFiles, ...sourceFolders.flatMap((folder) => listSources(root, folder))];
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

function listSources(root, folder) {
  return readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && /\.(ts|tsx|mjs)$/.test(entry.name) && !entry.name.endsWith(".d.ts"))
    .map((entry) => path.relative(root, path.join(entry.parentPath, entry.name)))
    .sort();
}

function resolve(from, name, known) {
  const base = name.startsWith("@/") ? name.slice(2) : path.posix.join(path.posix.dirname(from), name);
  if (!name.startsWith("@/") && !name.startsWith(".")) return null;
  return endings.map((ending) => base + ending).find((file) => known.has(file)) ?? null;
}

/**
 * Who reaches itself: names that reach each other, each circle once.
 *
 * @param {ReadonlyMap<string, Iterable<string>>} arrows from a name to others; one to itself is none
 * @returns {string[][]} in order of their names
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

/** All that a name reaches over any number of arrows. */
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
 * The arrows between files, or between what `groupOf` makes of them; null leaves a file out.
 *
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

/**
 * The shortest way along arrows that passes all given names in their order.
 *
 * @param {readonly string[]} stations
 * @param {ReadonlyMap<string, Iterable<string>>} arrows
 * @returns {string[] | null} with the stations; null when there is none
 */
export function findWay(stations, arrows) {
  const parts = stations.slice(1).map((to, at) => findPart(stations[at], to, arrows));
  return parts.includes(null) ? null : [stations[0], ...parts.flat()];
}

/** What follows `from` up to `to`. */
function findPart(from, to, arrows) {
  const before = new Map([[from, null]]);
  for (const at of before.keys()) {
    for (const next of arrows.get(at) ?? []) if (!before.has(next)) before.set(next, at);
  }
  if (!before.has(to)) return null;
  const part = [];
  for (let at = to; at !== from; at = before.get(at)) part.unshift(at);
  return part;
}

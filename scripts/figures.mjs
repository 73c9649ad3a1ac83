/**
 * `npm run figures`: metrics of the source code, each next to its goal. Counts the files known to git, without tests and
 * benches. `--circles` lists import cycles between rooms.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { findCircles, listArrows, listFiles, readSources, roomOf } from "./sources.mjs";
import { readCached, readTimes } from "./test-plan.mjs";

const root = path.join(import.meta.dirname, "..");
const isCounted = (file) => /\.(ts|tsx|mjs|css)$/.test(file) && !/^(test|bench)\//.test(file);
const files = listFiles(root).filter(isCounted).map(measure);
const sources = readSources(root).filter(({ file }) => isCounted(file));

function measure(file) {
  const text = readFileSync(path.join(root, file), "utf8");
  const counts = { any: 0, as: 0, nonNull: 0 };
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.any++;
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) counts.as++;
    if (ts.isNonNullExpression(node)) counts.nonNull++;
    ts.forEachChild(node, visit);
  };
  if (!file.endsWith(".css")) visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  const all = text.split("\n");
  return {
    file,
    ...counts,
    lines: all.length - 1,
    comments: all.filter((line) => /^\s*(\/\/|\/?\*)/.test(line)).length,
  };
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const total = sum(files.map(({ lines }) => lines));
const perThousand = (name) => ((sum(files.map((file) => file[name])) / total) * 1000).toFixed(1);
const portion = (values, part) => values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) * part)];
const tell = (some, count) =>
  some
    .toSorted(([, a], [, b]) => b - a)
    .slice(0, count)
    .map(([name, value]) => `${name} ${value}`)
    .join("; ");

function sumBy(groupOf, valueOf) {
  const sums = new Map();
  for (const file of files) sums.set(groupOf(file.file), (sums.get(groupOf(file.file)) ?? 0) + valueOf(file));
  return [...sums];
}

const folders = sumBy(
  (file) => path.dirname(file),
  () => 1,
);
const lengths = files.map(({ lines }) => lines);
const routes = files.filter(({ file }) => file.endsWith("/route.ts")).map(({ lines }) => lines);
const circles = findCircles(listArrows(sources, roomOf));
const fileCircles = findCircles(listArrows(sources)).filter((names) => names.some((name) => /^(app|lib)\//.test(name)));

const rows = [
  ["lines in all", total, "≤ 83,000"],
  ["files", files.length, ""],
  [
    "lines of a file: median, 95 of 100, longest",
    [0.5, 0.95, 1].map((part) => portion(lengths, part)).join(", "),
    "≤ 250",
  ],
  [
    "largest files",
    tell(
      files.map(({ file, lines }) => [file, lines]),
      5,
    ),
    "",
  ],
  ["lines of a route: median, longest", `${portion(routes, 0.5)}, ${portion(routes, 1)}`, "median ≤ 20"],
  ["folders with more than 20 files", folders.filter(([, count]) => count > 20).length, "0"],
  ["fullest folders", tell(folders, 5), "≤ 20 each"],
  ["rooms in import circles", circles.flat().length, "0"],
  ["files of app/ and lib/ in import circles", fileCircles.flat().length, "0"],
  ...lastWays(),
  ["`any`, `as`, `!` per 1,000 lines", ["any", "as", "nonNull"].map(perThousand).join(", "), "0, ≤ 2.7, 0"],
  ["comment lines per 1,000", perThousand("comments"), ""],
  ...lastTimes(),
  ...sumBy(
    (file) => roomOf(file) ?? ".",
    ({ lines }) => lines,
  ).map(([room, lines]) => [`lines of ${room}`, lines, ""]),
];

/** How many files executed code, as last measured here by `test/api/ways.test.ts`. */
function lastWays() {
  const measured = readCached("ways.json") ?? {};
  const goals = { save: "≤ 20", publication: "≤ 25", "sign-in": "", "vehicle request": "≤ 12" };
  return Object.entries(goals).map(([way, goal]) => [`files of a ${way}`, measured[way] ?? "not measured here", goal]);
}

/** How long the last complete test run took here. The goals are for two idle cores. */
function lastTimes() {
  const goals = { check: "≤ 2 minutes", test: "≤ 14 minutes, 10 without a browser" };
  return Object.entries(goals).map(([extent, goal]) => {
    const last = readTimes()[extent];
    const seconds = last?.times.find(({ title }) => title === "all")?.seconds;
    const name = `npm ${extent === "test" ? "test" : `run ${extent}`}`;
    return [name, seconds === undefined ? "not run here" : `${(seconds / 60).toFixed(1)} minutes, ${last?.at}`, goal];
  });
}

const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value, goal] of rows) {
  console.log(`${name.padEnd(width)}  ${String(value)}${goal === "" ? "" : `  (goal ${goal})`}`);
}
if (process.argv.includes("--circles")) {
  for (const names of fileCircles) console.log(`\n${names.join(" ↔ ")}`);
  for (const rooms of circles) {
    console.log(`\n${rooms.join(", ")}`);
    for (const { file, imports } of sources) {
      for (const { file: to } of imports) {
        const [from, at] = [roomOf(file), to === null ? null : roomOf(to)];
        if (from !== at && rooms.includes(from) && rooms.includes(at)) console.log(`  ${from} → ${at}: ${file}: ${to}`);
      }
    }
  }
}

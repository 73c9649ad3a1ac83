/**
 * `npm run figures`: the shape of the source in numbers, each beside what it is to be. Tests, fixtures and generated files do
 * not count. `--circles` lists the imports that close circles, `--way` the files of the way to the served table.
 */
import { readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { findCircles, findWay, listArrows, readSources, sourceFolders } from "./sources.mjs";
import { readTimes } from "./test-plan.mjs";

const root = path.join(import.meta.dirname, "..");
const sources = readSources(root).map((source) => ({ ...source, ...measure(source) }));
// Measuring tools are no part of what runs.
const product = sources.filter(({ file }) => !file.startsWith("bench/"));
const arrows = listArrows(product);

function measure({ file, text }) {
  const counts = { any: 0, as: 0, nonNull: 0 };
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) counts.any++;
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) counts.as++;
    if (ts.isNonNullExpression(node)) counts.nonNull++;
    ts.forEachChild(node, visit);
  };
  visit(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
  const all = text.split("\n");
  return { ...counts, lines: all.length - 1, comments: all.filter((line) => /^\s*(\/\/|\/?\*)/.test(line)).length };
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const linesOf = (some) => sum(some.map(({ lines }) => lines));
const inFolder = (folder) => sources.filter(({ file }) => file.startsWith(`${folder}/`));

function share(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

const total = linesOf(product);
const perThousand = (name) => ((sum(product.map((source) => source[name])) / total) * 1000).toFixed(1);
const first = (count, some, tell) => some.slice(0, count).map(tell).join("; ");

const lines = product.map((source) => source.lines);
const longest = product.toSorted((a, b) => b.lines - a.lines);
const routes = product.filter(({ file }) => file.endsWith("/route.ts")).map((source) => source.lines);
const folders = [...new Set(product.map(({ file }) => path.dirname(file)))];
const fullest = folders
  .map((folder) => ({ folder, length: product.filter(({ file }) => path.dirname(file) === folder).length }))
  .sort((a, b) => b.length - a.length);
const fullestOf = (prefix) => fullest.filter(({ folder }) => folder.startsWith(prefix));

const folderArrows = listArrows(product, (file) => (file.startsWith("lib/") ? path.dirname(file) : null));
const circles = findCircles(folderArrows);
const fileCircles = findCircles(arrows).filter((files) => files.some((file) => /^(app|lib)\//.test(file)));

const families = ["records", "groups", "messages", "vehicle-data", "module-config"].flatMap((name) =>
  inFolder(`lib/${name}`),
);
const familyPages = ["functionalgroups", "consumermessages", "vehicledata", "moduleconfig"]
  .flatMap((name) => inFolder(`app/(console)/${name}`))
  .concat(inFolder("app/_records"));

/**
 * How many sources name a flag of functional groups, as a member or as the API writes it: the middle one of all flags, as
 * the name `isDefault` is also that of other things.
 */
function countFlagFiles() {
  const flags = [...readFileSync(path.join(root, "lib/labels/group-flags.ts"), "utf8").matchAll(/"(is[A-Z]\w+)"/g)];
  const counts = flags.map(([, flag]) => {
    const name = new RegExp(`\\b(${flag}|${flag.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)})\\b`);
    return product.filter(({ text }) => name.test(text)).length;
  });
  return share(counts, 0.5);
}

/**
 * The way of a promoted group from the button to the table that vehicles get: what the page does, what the route does until the
 * commit, how the new revision is loaded, compiled and answered. Between two of these files stand those that the
 * shortest way of imports passes.
 */
const stations = [
  [
    "app/(console)/functionalgroups/promote-groups-dialog.tsx",
    "app/(console)/functionalgroups/use-group-promotion.ts",
    "lib/platform/http/client.ts",
  ],
  [
    "app/api/v1/groups/promote/route.ts",
    "lib/content/groups/commands.ts",
    "lib/content/records/commands.ts",
    "lib/platform/db/transaction.ts",
    "lib/platform/db/revision.ts",
  ],
  ["lib/server/database-source.ts", "lib/policy/snapshot/load-snapshot.ts", "lib/policy/snapshot/load-records.ts"],
  ["lib/policy/runtime.ts", "lib/policy/table/compiled-policy.ts", "lib/policy/table/functional-groupings.ts"],
  ["lib/vehicle-api/worker.ts", "lib/policy/answer/answer-vehicle.ts", "lib/policy/answer/answer.ts"],
];
const way = [...new Set(stations.flatMap((files) => findWay(files, arrows) ?? [`no way along ${files.join(", ")}`]))];

const rows = [
  ["lines in all", total, "≤ 54,000"],
  ["files", product.length, ""],
  ["lines of a file: median, 95 of 100, longest", [0.5, 0.95, 1].map((part) => share(lines, part)).join(", "), "≤ 250"],
  ["longest files", first(3, longest, (source) => `${source.file} ${source.lines}`), "≤ 250 each"],
  ["lines of an entry in server/, longest", Math.max(...inFolder("server").map((source) => source.lines)), "≤ 100"],
  ["lines of a route: median, longest", `${share(routes, 0.5)}, ${share(routes, 1)}`, "median ≤ 20"],
  ["folders with more than 20 files", fullest.filter(({ length }) => length > 20).length, "0"],
  ["fullest folders", first(5, fullest, ({ folder, length }) => `${folder} ${length}`), "≤ 20 each"],
  [
    "fullest folder of lib/policy/",
    first(1, fullestOf("lib/policy"), ({ folder, length }) => `${folder} ${length}`),
    "≤ 14",
  ],
  ["folders of lib/ in import circles", circles.flat().length, "0"],
  ["files of app/ and lib/ in import circles", fileCircles.flat().length, "0"],
  ["record families and their kernel: files, lines", `${families.length}, ${linesOf(families)}`, "about 36, ≤ 3,900"],
  ["their pages: files, lines", `${familyPages.length}, ${linesOf(familyPages)}`, "about 100 files"],
  ["files that a flag of groups stands in, median", countFlagFiles(), "≤ 6"],
  ["files from a button to the served table", way.length, "≤ 15"],
  ["`any` per 1,000 lines", perThousand("any"), "0"],
  ["`as` per 1,000 lines", perThousand("as"), "≤ 2.7"],
  ["`!` per 1,000 lines", perThousand("nonNull"), "0"],
  ["comment lines per 1,000", perThousand("comments"), ""],
  ...lastTimes(),
  ...sourceFolders.map((folder) => [`lines of ${folder}/`, linesOf(inFolder(folder)), ""]),
];

/** How long the tests took when they were last run here, whole: the goals are for two idle processors. */
function lastTimes() {
  const goals = { check: "≤ 2 minutes", test: "≤ 14 minutes" };
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
if (process.argv.includes("--way")) console.log(`\n${way.join("\n")}`);
if (process.argv.includes("--circles")) {
  for (const files of fileCircles) console.log(`\n${files.join(" ↔ ")}`);
  for (const circle of circles) {
    console.log(`\n${circle.join(", ")}`);
    for (const { file, imports } of product) {
      for (const { file: to } of imports) {
        const [from, at] = [path.dirname(file), to === null ? "" : path.dirname(to)];
        if (from !== at && circle.includes(from) && circle.includes(at))
          console.log(`  ${from} → ${at}: ${file}: ${to}`);
      }
    }
  }
}

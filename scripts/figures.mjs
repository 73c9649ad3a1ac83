/**
 * `npm run figures`: the shape of the source in numbers, each beside what it is to be. Tests, fixtures and generated files do
 * not count. `--circles` lists the imports that close circles between the folders of `lib/`.
 */
import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";

const root = path.join(import.meta.dirname, "..");
const folders = ["app", "lib", "models", "server", "embedded", "scripts", "bench"];
const isSource = (name) => /\.(ts|tsx|mjs)$/.test(name) && !name.endsWith(".d.ts");

const sources = folders.flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && isSource(entry.name))
    .map((entry) => read(path.relative(root, path.join(entry.parentPath, entry.name)))),
);
// Measuring tools are no part of what runs.
const product = sources.filter(({ file }) => !file.startsWith("bench/"));

function read(file) {
  const text = readFileSync(path.join(root, file), "utf8");
  const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const found = { any: 0, as: 0, nonNull: 0, imports: [] };
  const visit = (node) => {
    if (node.kind === ts.SyntaxKind.AnyKeyword) found.any++;
    if (ts.isAsExpression(node) && !ts.isConstTypeReference(node.type)) found.as++;
    if (ts.isNonNullExpression(node)) found.nonNull++;
    if ((ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) && node.moduleSpecifier) {
      found.imports.push(node.moduleSpecifier.text);
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  const lines = text.split("\n").length - 1;
  const comments = text.split("\n").filter((line) => /^\s*(\/\/|\/?\*)/.test(line)).length;
  return { file, lines, comments, ...found };
}

function share(values, part) {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}

const sum = (values) => values.reduce((total, value) => total + value, 0);
const perThousand = (count, lines) => ((count / lines) * 1000).toFixed(1);

/** The folder of `lib/` that a file belongs to; files beside the folders belong to none. */
const areaOf = (file) => /^lib\/([^/]+)\//.exec(file)?.[1] ?? null;

function listArrows() {
  const arrows = new Map();
  for (const { file, imports } of product) {
    const from = areaOf(file);
    if (from === null) continue;
    for (const name of imports) {
      const to = name.startsWith("@/lib/") ? areaOf(`${name.slice(2)}`) : null;
      if (to === null || to === from) continue;
      const key = `${from} → ${to}`;
      arrows.set(key, { from, to, uses: [...(arrows.get(key)?.uses ?? []), `${file}: ${name}`] });
    }
  }
  return [...arrows.values()];
}

/** Folders that reach each other: where two do, neither can be read or moved alone. */
function listCircles(arrows) {
  const next = new Map();
  for (const arrow of arrows) next.set(arrow.from, [...(next.get(arrow.from) ?? []), arrow]);
  const reach = new Map();
  const names = new Set(arrows.flatMap(({ from, to }) => [from, to]));
  for (const start of names) {
    const seen = new Set();
    const open = [start];
    for (let at = open.pop(); at !== undefined; at = open.pop()) {
      for (const { to } of next.get(at) ?? []) {
        if (!seen.has(to)) {
          seen.add(to);
          open.push(to);
        }
      }
    }
    reach.set(start, seen);
  }
  const circles = new Map();
  for (const name of names) {
    const mates = [...names].filter((other) => reach.get(name).has(other) && reach.get(other).has(name)).sort();
    if (mates.length > 0) circles.set(mates.join(" "), mates);
  }
  return [...circles.values()];
}

const lines = product.map((source) => source.lines);
const total = sum(lines);
const longest = product.toSorted((a, b) => b.lines - a.lines);
const routes = product.filter(({ file }) => file.endsWith("/route.ts")).map((source) => source.lines);
const byFolder = new Map();
for (const { file } of product) byFolder.set(path.dirname(file), (byFolder.get(path.dirname(file)) ?? 0) + 1);
const fullest = [...byFolder].sort((a, b) => b[1] - a[1]);
const arrows = listArrows();
const circles = listCircles(arrows);
const inCircles = new Set(circles.flat());

const rows = [
  ["lines in all", total, "≤ 54,000"],
  ["files", product.length, ""],
  [
    "lines of a file: median, 95 of 100, longest",
    `${share(lines, 0.5)}, ${share(lines, 0.95)}, ${share(lines, 1)}`,
    "",
  ],
  [
    "longest files",
    longest
      .slice(0, 3)
      .map((source) => `${source.file} ${source.lines}`)
      .join("; "),
    "≤ 250 each",
  ],
  ["lines of a route: median, longest", `${share(routes, 0.5)}, ${share(routes, 1)}`, "median ≤ 20"],
  ["folders with more than 20 files", fullest.filter(([, count]) => count > 20).length, "0"],
  [
    "fullest folders",
    fullest
      .slice(0, 5)
      .map(([folder, count]) => `${folder} ${count}`)
      .join("; "),
    "≤ 20 each",
  ],
  ["folders of lib/ in import circles", `${inCircles.size} in ${circles.length}`, "0"],
  ["`any` per 1,000 lines", perThousand(sum(product.map(({ any }) => any)), total), "0"],
  ["`as` per 1,000 lines", perThousand(sum(product.map(({ as }) => as)), total), "≤ 2.7"],
  ["`!` per 1,000 lines", perThousand(sum(product.map(({ nonNull }) => nonNull)), total), "0"],
  ["comment lines per 1,000", perThousand(sum(product.map(({ comments }) => comments)), total), ""],
];
for (const folder of folders) {
  const own = sources.filter(({ file }) => file.startsWith(`${folder}/`));
  rows.push([`lines of ${folder}/`, sum(own.map((source) => source.lines)), ""]);
}
const records = ["records", "groups", "messages", "vehicle-data", "module-config"].map((name) => `lib/${name}/`);
const domain = product.filter(({ file }) => records.some((folder) => file.startsWith(folder)));
rows.push([
  "the record families and their kernel: files, lines",
  `${domain.length}, ${sum(domain.map((source) => source.lines))}`,
  "about 36, ≤ 3,900",
]);

const width = Math.max(...rows.map(([name]) => name.length));
for (const [name, value, goal] of rows) {
  console.log(`${name.padEnd(width)}  ${String(value)}${goal === "" ? "" : `  (goal ${goal})`}`);
}

if (process.argv.includes("--circles")) {
  for (const circle of circles) {
    console.log(`\n${circle.join(", ")}`);
    const within = arrows.filter(({ from, to }) => circle.includes(from) && circle.includes(to));
    for (const { from, to, uses } of within.sort((a, b) => a.uses.length - b.uses.length)) {
      console.log(`  ${from} → ${to} (${uses.length})`);
      for (const use of uses.slice(0, 4)) console.log(`    ${use}`);
    }
  }
}

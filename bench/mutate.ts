/**
 * `npm run mutate`: makes small changes to sources, one at a time, in a copy of the project. Some test must notice each.
 *
 * Options: each `--seed` selects `--count` changes (default 40), `--only lib/policy` the sources, `--write` puts the score into
 * docs/benchmarks.md.
 */
import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { listFiles, readSources } from "@/scripts/sources.mjs";
import { dailyFiles, thoroughFiles } from "@/scripts/test-plan.mjs";
import { applyMutation, listMutations, type Mutation, sample } from "@/bench/mutations";
import { writePart } from "@/bench/report";

const { values } = parseArgs({
  options: {
    seed: { type: "string", multiple: true, default: ["1"] },
    count: { type: "string", default: "40" },
    only: {
      type: "string",
      multiple: true,
      default: ["lib/policy", "lib/records", "lib/releases", "lib/platform/auth"],
    },
    write: { type: "boolean", default: false },
  },
});
const root = process.cwd();
/** Number of tests tried first, and in total, nearest first. */
const [nearest, max] = [8, 60];

const sources = readSources(root, () => true);
const mutable = sources.filter(({ file }) => values.only.some((folder) => file.startsWith(`${folder}/`)));
const mutations = mutable.flatMap(({ file, text }) => listMutations(file, text));
const chosen = values.seed.flatMap((seed) => sample(mutations, Number(values.count), Number(seed)));

const importers = new Map<string, string[]>();
for (const { file, imports } of sources) {
  for (const { file: to } of imports) if (to !== null) importers.set(to, [...(importers.get(to) ?? []), file]);
}

/**
 * Tests of `npm test` that reach a source and need no build or browser: those of its room first, then the nearest, those without a database
 * before others.
 */
function findTests(source: string): string[] {
  const steps = new Map([[source, 0]]);
  for (const [file, distance] of steps) {
    for (const next of importers.get(file) ?? []) if (!steps.has(next)) steps.set(next, distance + 1);
  }
  const isLeftOut = (file: string) => [...dailyFiles, ...thoroughFiles].some((begin) => file.startsWith(`${begin}.`));
  const tests = [...steps].filter(([file]) => /^test\/(unit|api)\/.*\.test\.ts$/.test(file) && !isLeftOut(file));
  const room = `/${source.split("/")[1]}/`;
  const farOf = ([file, distance]: readonly [string, number]) =>
    distance + (file.startsWith("test/api/") ? 0.5 : 0) - (file.includes(room) ? 100 : 0);
  return tests.toSorted((a, b) => farOf(a) - farOf(b)).map(([file]) => file);
}

const copy = mkdtempSync(path.join(tmpdir(), "mutations-"));
process.once("exit", () => rmSync(copy, { recursive: true, force: true }));
for (const file of listFiles(root)) {
  mkdirSync(path.dirname(path.join(copy, file)), { recursive: true });
  cpSync(path.join(root, file), path.join(copy, file));
}
symlinkSync(path.join(root, "node_modules"), path.join(copy, "node_modules"));

/** @returns the test that failed; null if none did */
function findFailure(tests: readonly string[]): string | null {
  if (tests.length === 0) return null;
  const report = path.join(copy, "report.json");
  rmSync(report, { force: true });
  const projects = new Set(tests.map((file) => `--project=${file.split("/")[1]}`));
  const words = ["vitest", "run", "--bail=1", ...projects, "--reporter=json", `--outputFile=${report}`];
  // A change that makes a test run forever counts as noticed, too.
  const run = spawnSync("npx", [...words, ...tests], { cwd: copy, timeout: 300_000, encoding: "utf8" });
  if (run.status === 0) return null;
  try {
    const { testResults } = JSON.parse(readFileSync(report, "utf8")) as {
      testResults: { name: string; status: string }[];
    };
    const failed = testResults.find(({ status }) => status === "failed");
    return failed === undefined ? (tests[0] ?? null) : path.relative(copy, failed.name);
  } catch {
    return tests[0] ?? null;
  }
}

/** Tests that pass without a change. Others prove nothing, and are skipped. */
const sound = new Set<string>();
const broken = new Set<string>();

/** @returns the test that notices the change; null if none does */
function tryOut(mutation: Mutation): string | null {
  const changed = path.join(copy, mutation.file);
  const text = readFileSync(changed, "utf8");
  const tests = findTests(mutation.file)
    .filter((test) => !broken.has(test))
    .slice(0, max);
  writeFileSync(changed, applyMutation(text, mutation));
  const failed = findFailure(tests.slice(0, nearest)) ?? findFailure(tests.slice(nearest));
  writeFileSync(changed, text);
  if (failed === null || sound.has(failed)) return failed;
  if (findFailure([failed]) === null) {
    sound.add(failed);
    return failed;
  }
  console.log(`${failed} fails without a change, too`);
  broken.add(failed);
  return tryOut(mutation);
}

const survivors: Mutation[] = [];
for (const [at, mutation] of chosen.entries()) {
  const { file, line, from, to } = mutation;
  const noticedBy = tryOut(mutation);
  if (noticedBy === null) survivors.push(mutation);
  console.log(`${at + 1}/${chosen.length} ${file}:${line} ${short(from)} → ${short(to)}: ${noticedBy ?? "SURVIVED"}`);
}

function short(text: string): string {
  const line = text.replaceAll(/\s+/g, " ");
  return line.length > 60 ? `${line.slice(0, 57)}…` : line;
}

const survived = ((survivors.length / Math.max(1, chosen.length)) * 100).toFixed(1);
const report = [
  "## Mutations",
  `\`npm run mutate -- ${values.seed.map((seed) => `--seed ${seed} `).join("")}--count ${values.count}\`: small changes of ${values.only.map((folder) => `\`${folder}\``).join(", ")}, one at a time. A change survives when no unit or API test that reaches its file fails.`,
  "| possible | tried | noticed | survived |\n| --- | --- | --- | --- |\n" +
    `| ${mutations.length} | ${chosen.length} | ${chosen.length - survivors.length} | ${survivors.length} (${survived} %) |`,
].join("\n\n");
console.log(`\n${report}`);
if (values.write) writePart("mutations", report);

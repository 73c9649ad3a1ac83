/**
 * `npm test` and `npm run check`: runs all parts, even if one fails; `scripts/test-plan.mjs` defines them. The last line is
 * `N passed, N failed`: tests, and each step as one.
 */
import { spawn } from "node:child_process";
import { randomInt } from "node:crypto";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { createInterface } from "node:readline";
import {
  failuresOf,
  findBrowser,
  findSecondEngine,
  fixedSeed,
  planOf,
  readArguments,
  readReport,
  readTimes,
  secondEngineName,
  timesFile,
  timeTable,
} from "./test-plan.mjs";

const root = path.join(import.meta.dirname, "..");
process.chdir(root);
const { scripts } = JSON.parse(readFileSync("package.json", "utf8"));
const { extent, part } = readArguments(process.argv.slice(2));
const plan = planOf(extent);
const environment = {
  ...process.env,
  ...plan.env,
  TEST_SEED: process.env.TEST_SEED ?? String(plan.isRandom ? randomInt(2 ** 31 - 1) : fixedSeed),
  NEXT_TELEMETRY_DISABLED: "1",
  PATH: `${path.join(root, "node_modules", ".bin")}${path.delimiter}${process.env.PATH}`,
  ...(process.stdout.isTTY && { FORCE_COLOR: "1" }),
};

const seedLine = `TEST_SEED=${environment.TEST_SEED} chooses what is tried at random`;
const begin = performance.now();
const failedSteps = [];
const failures = [];
const times = [];
const count = { passed: 0, failed: 0, skipped: 0 };

function check(title, isPassed) {
  count[isPassed ? "passed" : "failed"]++;
  if (!isPassed) failedSteps.push(title);
}

/** Runs a shell command and passes its output line by line. */
function run(command, onLine, env = environment) {
  const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"], env });
  for (const output of [child.stdout, child.stderr]) createInterface({ input: output }).on("line", onLine);
  return new Promise((resolve) => {
    child.once("close", (status) => resolve(status === 0));
    // A process it has left may keep its output open forever.
    child.once("exit", (status) => setTimeout(() => resolve(status === 0), 5000).unref());
  });
}

/** Prints a step's output at once when it is done, because tests print at the same time. */
async function runStep(title) {
  const [start, lines] = [performance.now(), [`\n── ${title}`]];
  const isPassed = await run(scripts[title], (line) => lines.push(line));
  check(title, isPassed);
  times.push({ title, seconds: (performance.now() - start) / 1000 });
  console.log([...lines, `── ${title} ${isPassed ? "passed" : "failed"}\n`].join("\n"));
}

async function runTests(projects, { words: own = [], env = environment, place = "" } = {}) {
  const folder = mkdtempSync(path.join(tmpdir(), "policy-server-tests-"));
  const report = path.join(folder, "report.json");
  const shard = part === null ? [] : [`--shard=${part}`];
  const words = [
    ...own,
    ...shard,
    // With `ui-alone`, whose file is of `ui`.
    ...projects.map((name) => `--project="${name}*"`),
    "--reporter=default",
    "--reporter=json",
  ];
  const isDone = await run(`vitest run ${words.join(" ")} --outputFile=${report}`, (line) => console.log(line), env);
  let failedTests = 0;
  const { results, failed: ofThese } = readResults(report);
  failures.push(...ofThese);
  for (const [title, { passed, failed, skipped, from, to }] of results) {
    count.passed += passed;
    count.skipped += skipped;
    failedTests += failed;
    times.push({ title: title + place, seconds: (to - from) / 1000 });
  }
  rmSync(folder, { recursive: true });
  count.failed += failedTests;
  if (failedTests > 0) failedSteps.push("tests");
  // The run failed without a failed test: a file failed to load, setup failed, or an error occurred outside of tests.
  else if (!isDone) check("test run", false);
}

function keepTimes() {
  mkdirSync(path.dirname(timesFile), { recursive: true });
  const at = new Date().toISOString();
  writeFileSync(
    timesFile,
    JSON.stringify({ ...readTimes(), [[extent || "test", part ?? ""].join(" ").trim()]: { at, times } }),
  );
}

function readResults(file) {
  try {
    const report = JSON.parse(readFileSync(file, "utf8"));
    return { results: readReport(report, root), failed: failuresOf(report, root) };
  } catch {
    return { results: new Map(), failed: [] };
  }
}

const inBrowser = ["walk", "browser"];

/** Skips the projects that need a browser if there is none. */
function possible(projects) {
  if (!projects.some((name) => inBrowser.includes(name)) || findBrowser() !== null) return projects;
  console.log("Browser tests skipped: no Chromium. Install the package chromium-headless-shell, or set CHROMIUM_PATH.");
  if (process.env.REQUIRE_BROWSER) check("browser tests", false);
  return projects.filter((name) => !inBrowser.includes(name));
}

/** Runs tests again on the second engine: a tenth of the repetitions, and two files at a time, because it is slow. */
async function runOnSecondEngine(files) {
  if (findSecondEngine() === null) {
    console.log("Tests on the second engine skipped: it is not installed. Run npm run install:second-engine.");
    if (process.env.REQUIRE_SECOND_ENGINE) check("tests on the second engine", false);
    else count.skipped++;
    return;
  }
  const { CRASH_ROUNDS: _rounds, STATES: _states, TEST_MONGODB_URI: _uri, ...others } = environment;
  const env = { ...others, MONGODB_URI: "", TEST_SHARE: "0.1", TEST_DATABASE: secondEngineName };
  await runTests(["api", "server", "faults"], {
    words: ["--maxWorkers=2", ...files],
    env,
    place: ` on ${secondEngineName}`,
  });
}

const [beside, ...after] = plan.groups.map(possible);
if (plan.isRandom) console.log(seedLine);
await Promise.all([...plan.steps.map(runStep), beside && runTests(beside)]);
// Their files wait for servers and browsers more than they compute.
for (const projects of after) await runTests(projects, { words: ["--maxWorkers=4"] });
if (plan.onSecondEngine) await runOnSecondEngine(plan.onSecondEngine);

times.push({ title: "all", seconds: (performance.now() - begin) / 1000 });
console.log(`\n${timeTable(times).join("\n")}`);
keepTimes();
if (plan.isRandom && count.failed > 0) console.log(seedLine);
for (const what of plan.notRun ?? []) console.log(`Not run: ${what}`);
if (part !== null) console.log(`Part ${part} of the tests`);
if (count.skipped > 0) console.log(`${count.skipped} tests skipped`);
for (const failure of failures) console.log(`\nFailed: ${failure}`);
if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(", ")}`);
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exit(count.failed === 0 ? 0 : 1);

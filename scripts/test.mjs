/**
 * `npm test`: every check of the project, one after the other and all of them even when one fails. The last line is
 * `N passed, N failed`: the tests, and each of the checks before them as one.
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";

process.chdir(path.join(import.meta.dirname, ".."));

const bin = (name) => path.join("node_modules", ".bin", name);
const run = (command, ...words) =>
  spawnSync(bin(command), words, { stdio: "inherit", env: { ...process.env, NEXT_TELEMETRY_DISABLED: "1" } }).status ===
  0;

const failedSteps = [];
let passed = 0;
let failed = 0;

function check(title, isPassed) {
  if (isPassed) passed++;
  else {
    failed++;
    failedSteps.push(title);
  }
}

function step(title, work) {
  console.log(`\n── ${title}`);
  check(title, work());
}

step("format", () => run("prettier", "--check", "."));
// Before lint: the types of routes and pages are global, and lint reads types.
step("route types", () => run("next", "typegen"));
step("lint", () => run("eslint", "--max-warnings", "0", "."));
step("types", () => run("tsc", "--noEmit"));
runTests();

if (failedSteps.length > 0) console.log(`\nFailed: ${failedSteps.join(", ")}`);
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;

function runTests() {
  console.log("\n── tests");
  const folder = mkdtempSync(path.join(tmpdir(), "policy-server-tests-"));
  const report = path.join(folder, "report.json");
  const isDone = run("vitest", "run", ...projects(), "--reporter=default", "--reporter=json", `--outputFile=${report}`);
  const { failedTests, passedTests, skippedTests } = readReport(report);
  rmSync(folder, { recursive: true });
  passed += passedTests;
  failed += failedTests;
  if (skippedTests > 0) console.log(`${skippedTests} tests skipped`);
  // A run that ended badly without a failed test: a file that cannot be loaded, a setup, an error outside of any test.
  if (failedTests > 0) failedSteps.push("tests");
  else if (!isDone) check("test run", false);
}

function readReport(file) {
  try {
    const { numPassedTests, numFailedTests, numPendingTests } = JSON.parse(readFileSync(file, "utf8"));
    return { passedTests: numPassedTests, failedTests: numFailedTests, skippedTests: numPendingTests };
  } catch {
    return { passedTests: 0, failedTests: 0, skippedTests: 0 };
  }
}

/** All projects, without the one in the browser where there is no browser. */
function projects() {
  const browser = process.env.CHROMIUM_PATH || "/usr/bin/chromium";
  if (existsSync(browser) || !existsSync("test/browser")) return [];
  console.log(`Browser tests skipped: no ${browser}. Install the package chromium, or set CHROMIUM_PATH.`);
  if (process.env.REQUIRE_BROWSER) check("browser tests", false);
  return ["--project=!browser"];
}

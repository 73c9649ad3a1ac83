/** Defines what `npm test` runs, and reads test reports. `test.mjs` runs it. */
import { existsSync, readFileSync } from "node:fs";
import path from "node:path";
import { parseArgs } from "node:util";

/** The files of a group share two cores. Those of the second group start the built server. */
const cheap = ["unit", "embedded", "api", "ui"];
const onServer = ["server", "walk"];

/** Chooses all random values and shares of `npm test`: the same on every machine, so that a failure repeats. */
export const fixedSeed = 20261127;

/** The headless shell needs less than half of the time for each page, because it has no windows. */
const browsers = ["/usr/bin/chromium-headless-shell", "/usr/bin/chromium"];

/** The browser for tests: `CHROMIUM_PATH`, else Debian's; null: none. */
export function findBrowser() {
  const wanted = process.env.CHROMIUM_PATH ? [process.env.CHROMIUM_PATH] : browsers;
  return wanted.find((file) => existsSync(file)) ?? null;
}

/** An independent MongoDB implementation (docs/second-engine.md). `TEST_DATABASE` with this name runs tests on it. */
export const secondEngineName = "secantusdb";

/** The Python with this engine, as installed by `npm run install:second-engine`; null: not installed. */
export function findSecondEngine() {
  const python = path.join(import.meta.dirname, "../node_modules/.cache", secondEngineName, "bin/python");
  return existsSync(path.join(python, "../secantusd-py")) ? python : null;
}

/** Tests that rely on database guarantees: transactions, takeover, revisions, queues, backups, startup and publishing. */
const onSecondEngine = [
  "test/api/db/transaction.test.ts",
  "test/api/db/lock.test.ts",
  "test/api/db/second-engine.test.ts",
  "test/api/releases/publish.test.ts",
  "test/api/releases/crash.test.ts",
  "test/api/releases/two-publishers.test.ts",
  "test/api/directory/application-jobs.test.ts",
  "test/api/directory/tasks.test.ts",
  "test/api/backup.test.ts",
  "test/server/given-database.test.ts",
  "test/server/mixed-versions.test.ts",
];

const faultsOnSecondEngine = ["directory-sync", "outage-answers", "processes", "provider-down"].map(
  (name) => `test/faults/${name}.test.ts`,
);

/** Long tests whose facts do not depend on the database: beginnings of the names of their files. */
export const notOnSecondEngine = [
  "accepted-states",
  "head-unit-findings",
  "hostile-provider",
  "import-sdl-server-",
].map((name) => `test/api/${name}`);

/**
 * Beginnings of the names of files that `npm test` leaves to `npm test -- ci`: what processes, networks and disks do to the
 * server, installations of sdl_server that have grown, and what is shipped. They rarely break, and wait for real seconds.
 */
export const thoroughFiles = [
  ...["convergence", "database-loss"].map((name) => `test/api/directory/${name}`),
  "test/api/db/killed-start",
  ...["crash", "two-publishers"].map((name) => `test/api/releases/${name}`),
  ...["around", "page", "verify"].map((name) => `test/api/import-sdl-server-${name}`),
  ...["unit/platform/log-output", "unit/watching", "server/package"].map((name) => `test/${name}`),
];

/**
 * Beginnings of the names of files that only `npm run test:all` runs: installations of sdl_server that have grown, and peers
 * that send slowly or not at all.
 */
export const dailyFiles = [
  ...["catch-up", "interrupted", "old-data"].map((name) => `test/api/import-sdl-server-${name}`),
  ...["api/db/dead-connection", "api/hostile-provider", "unit/vehicle-api/slow-senders"].map((name) => `test/${name}`),
];

/**
 * What an extent runs. Steps are scripts in package.json, and run in parallel with the first group of tests. Groups run one
 * after the other, then the files that run again on the second engine.
 * @param {string} [extent] `check`, nothing, `ci`, `engine` or `all`
 * @returns {{ steps: string[], groups: string[][], env: Record<string, string>, onSecondEngine?: string[], isRandom?: boolean,
 *   notRun?: string[] }} `isRandom`: every run draws its own seed; `notRun`: what another command runs
 * @throws {Error} for any other
 */
export function planOf(extent = "") {
  const steps = ["build:once"];
  const all = "npm run test:all";
  const repetitions = `nine tenths of the repeated random runs, migrations of old data, stalled peers: ${all}`;
  const browser = `browser (all pages in all widths and themes, all states): ${all}`;
  switch (extent) {
    case "check":
      // The type checker of the linter is a Go program: with less frequent garbage collection, it saves a third of its time.
      return { steps: ["format:check", "lint", "phrases"], groups: [], env: { GOGC: "400" } };
    case "":
      return {
        ...{ steps, groups: [cheap, onServer], env: { TEST_THOROUGH: "0", TEST_DAILY: "0" } },
        notRun: [
          "format, lint with types, and phrases: npm run check",
          "faults, killed processes, the package, whole migrations from sdl_server, second engine: npm test -- ci",
          browser,
          repetitions,
        ],
      };
    case "ci":
      return {
        ...{ steps, groups: [cheap, [...onServer, "faults"]], env: { TEST_DAILY: "0" }, onSecondEngine },
        notRun: [browser, repetitions, `all other files on the second engine: ${all}`],
      };
    case "engine":
      return { steps, groups: [], env: {}, onSecondEngine };
    case "all":
      return {
        ...{ steps, groups: [cheap, [...onServer, "faults", "browser"]], isRandom: true },
        env: { TEST_SHARE: "1", CRASH_ROUNDS: "100", STATES: "5000" },
        onSecondEngine: ["test/api/", "test/server/", ...faultsOnSecondEngine],
      };
    default:
      throw new Error(`${extent} is no extent of the tests: check, ci, engine, all, or none`);
  }
}

/**
 * Reads the arguments of `scripts/test.mjs`.
 * @param {readonly string[]} args `[extent] [--part k/n]`
 * @returns {{ extent: string, part: string | null }}
 * @throws {Error} for anything else
 */
export function readArguments(args) {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: { part: { type: "string" } },
    allowPositionals: true,
  });
  const [extent = "", ...others] = positionals;
  if (others.length > 0) throw new Error(`unknown argument ${others[0]}`);
  const { part = null } = values;
  const [, k, n] = /^([1-9]\d?)\/([1-9]\d?)$/.exec(part ?? "1/1") ?? [];
  if (k === undefined || Number(k) > Number(n)) throw new Error("--part takes k/n, e.g. 2/4");
  return { extent, part };
}

/**
 * Counts and times by project, named after its folder.
 * @param {{ testResults: object[] }} report JSON report of vitest
 * @param {string} root of the sources
 * @returns {Map<string, { passed: number, failed: number, skipped: number, from: number, to: number }>} times in
 *   milliseconds since 1970: from the start of the project's first test to the end of its last one
 */
export function readReport({ testResults }, root) {
  const projects = new Map();
  for (const { name, startTime, endTime, assertionResults } of testResults) {
    const project = path.relative(path.join(root, "test"), name).split(path.sep)[0] ?? "";
    const sum = projects.get(project) ?? { passed: 0, failed: 0, skipped: 0, from: Infinity, to: 0 };
    const count = (...wanted) => assertionResults.filter(({ status }) => wanted.includes(status)).length;
    projects.set(project, {
      passed: sum.passed + count("passed"),
      failed: sum.failed + count("failed"),
      skipped: sum.skipped + count("pending", "skipped", "todo", "disabled"),
      from: Math.min(sum.from, startTime),
      to: Math.max(sum.to, endTime),
    });
  }
  return projects;
}

/**
 * Summarizes failures, for the end of a long output of which only the last lines may be kept.
 * @param {{ testResults: object[] }} report JSON report of vitest
 * @param {string} root of the sources
 * @returns {string[]} per failed test its file, its full name and the start of its message; per file that failed to load its
 *   message
 */
export function failuresOf({ testResults }, root) {
  return testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = path.relative(root, name);
    const failed = assertionResults.filter((result) => result.status === "failed");
    if (failed.length === 0) return status === "failed" ? [`${file}\n    ${beginOf(message)}`] : [];
    return failed.map(
      ({ fullName, failureMessages }) => `${file} > ${fullName}\n    ${beginOf(failureMessages.join("\n"))}`,
    );
  });
}

function beginOf(text = "") {
  return text.slice(0, 600).split("\n").slice(0, 6).join("\n    ");
}

/** Lines of a table with the time of each part, in seconds, in order of execution. */
export function timeTable(times) {
  const longest = Math.max(...times.map(({ title }) => title.length));
  return times.map(({ title, seconds }) => `${title.padEnd(longest)}${Math.round(seconds).toString().padStart(7)} s`);
}

/** Where the times of the last runs are stored, by extent. */
export const timesFile = path.join(import.meta.dirname, "..", "node_modules", ".cache", "test-times.json");

/** @returns {Record<string, { at: string, times: { title: string, seconds: number }[] }>} nothing before the first run */
export function readTimes() {
  return readCached(path.basename(timesFile)) ?? {};
}

/** What a run has left in the cache; null: nothing yet. */
export function readCached(name) {
  try {
    return JSON.parse(readFileSync(path.join(path.dirname(timesFile), name), "utf8"));
  } catch {
    return null;
  }
}

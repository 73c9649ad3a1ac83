import path from "node:path";
import { beforeEach } from "vitest";
import { usesSecondEngine } from "./second-engine";

/** Why tests cannot pass on the second engine: its defect (docs/second-engine.md), or a missing feature. */
export interface Excuse {
  readonly file: string;
  /** Prefixes of its tests' names, including their groups; undefined: all tests of the file. */
  readonly tests?: readonly string[];
  readonly because: string;
}

export const embedded = "it is about the embedded database";
/** The engine is written in Python. On a busy machine, a 503 of the server after a few seconds is neither's fault. */
export const slow = "it stores more at once than the engine can within the time limits of the server";

export const excuses: readonly Excuse[] = [
  { file: "test/api/db/query-plans.test.ts", because: "E2" },
  {
    file: "test/api/directory/database-loss.test.ts",
    tests: ["the database goes away > in the middle of a synchronisation"],
    because: "E3",
  },
  {
    file: "test/api/releases/return.test.ts",
    tests: [
      "L12: production becomes item by item",
      "L12: edits that wait in staging keep waiting",
      "L12: is refused with a sentence when production is so already",
      "L4, L12: apps stay as they are decided",
      "L10, L12: a dry run tells the diff",
      "L6, L12: findings need force",
    ],
    because: "E1",
  },
  { file: "test/api/releases/as-of.test.ts", tests: ["L3: the table as of a release"], because: "E1" },
  {
    file: "test/api/releases/routes.test.ts",
    tests: [
      "GET releases/{n}/diff > L3: without more it tells what the release did",
      "GET releases/{n}/diff > L3: the earlier one is before",
    ],
    because: "E1",
  },
  {
    file: "test/api/releases/properties.test.ts",
    tests: ["L12: a return gives the table of its release again"],
    because: "E1",
  },
  {
    file: "test/api/releases/second-person.test.ts",
    tests: ["P9, W4: a return that gives more needs it"],
    because: "E1",
  },
  {
    file: "test/api/releases/wrong-requests.test.ts",
    tests: ['POST /api/v1/releases/{n}/return > {"params":{"n":"1"},"body":{}}'],
    because: "E1",
  },
  {
    file: "test/server/command-line.test.ts",
    tests: ["open-policy against a running server > X4, W10, L9, L12: files change vehicles' table"],
    because: "E1",
  },
  {
    file: "test/api/simulator.test.ts",
    tests: [
      "L15: what a vehicle would get > L15: as of a release",
      "L17: two tables side by side > L17: compares environments and releases",
    ],
    because: "E1",
  },
  {
    file: "test/api/exchange.test.ts",
    tests: ["X2: export and import > takes from production as of a release"],
    because: "E1",
  },
  {
    file: "test/api/answers.test.ts",
    tests: [
      "what routes answer is what they say they answer > 'GET /api/v1/policy/compare'",
      "what routes answer is what they say they answer > 'POST /api/v1/policy/simulate'",
    ],
    because: "E1",
  },
  {
    file: "test/api/answers.test.ts",
    tests: ["what routes answer is what they say they answer > shows something in every list"],
    because: "E4",
  },
  {
    file: "test/faults/outage-answers.test.ts",
    tests: ["F2: without its database it answers vehicles as before"],
    because: embedded,
  },
  { file: "test/api/forms.test.ts", tests: ["finding D1: 'POST /api/v1/policy/simulate'"], because: "E1" },
  {
    file: "test/api/console-applications.test.ts",
    tests: ["search, filters and order > offers the known permissions and service types and the countries"],
    because: "E4",
  },
  { file: "test/server/console-list.test.ts", because: embedded },
  {
    file: "test/api/directory/webhook-applied.test.ts",
    tests: ["1,000 notifications at once"],
    because: slow,
  },
  { file: "test/api/db/killed-start.test.ts", because: embedded },
  {
    file: "test/server/start-and-stop.test.ts",
    tests: [
      "npm start > answers a head unit from the first data, and says that the database is the embedded one",
      "npm start > refuses a second server on the same DATA_DIR",
      "npm start > keeps the database's socket to its own user",
    ],
    because: embedded,
  },
  {
    file: "test/faults/processes.test.ts",
    tests: [
      "processes of a server > N1: a vehicle worker and the embedded database come back",
      "processes of a server > F10: processes that start after the socket of the database was removed",
      "processes of a server > F3: without a file of the database writes are 503",
      "default settings > F4: two vehicle workers; killed both at once",
      "other settings > N1, N12: VEHICLE_WORKERS says how many vehicle workers",
    ],
    because: embedded,
  },
];

export function findExcuse(file: string, name: string): Excuse | undefined {
  return excuses.find(
    (one) =>
      one.file === file && (one.tests === undefined || one.tests.some((beginning) => name.startsWith(beginning))),
  );
}

/** Setup of `api` and `server`: skips excused tests and counts them as skipped. */
if (usesSecondEngine)
  beforeEach(({ task, skip }) => {
    const file = path.relative(process.cwd(), task.file.filepath).split(path.sep).join("/");
    const excuse = findExcuse(file, task.fullTestName);
    if (excuse !== undefined) skip(excuse.because);
  });

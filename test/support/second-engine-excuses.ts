import path from "node:path";
import { beforeEach } from "vitest";
import { usesSecondEngine } from "./second-engine";

export interface Excuse {
  readonly file: string;
  /** Prefixes of its tests' names, including their groups; undefined: all tests of the file. */
  readonly tests?: readonly string[];
  readonly because: string;
}

export const embedded = "it is about the embedded database";
/** The engine is written in Python. On a busy machine, a 503 of the server after a few seconds is neither's fault. */
export const slow = "it stores more at once than the engine can within the time limits of the server";

/** By reason and file: prefixes of the names of tests, including their groups; null: all tests of the file. */
const byReason: Readonly<Record<string, Readonly<Record<string, readonly string[] | null>>>> = {
  E2: { "test/api/db/query-plans.test.ts": null },
  E3: { "test/api/directory/database-loss.test.ts": ["the database goes away > in the middle of a synchronisation"] },
  E1: {
    "test/api/releases/return.test.ts": [
      "L12: production becomes item by item",
      "L12: edits that wait in staging keep waiting",
      "L12: is refused with a sentence when production is so already",
      "L4, L12: apps stay as they are decided",
      "L10, L12: a dry run tells the diff",
      "L6, L12: findings need force",
    ],
    "test/api/releases/as-of.test.ts": ["L3: the table as of a release"],
    "test/api/releases/routes.test.ts": [
      "GET releases/{n}/diff > L3: without more it tells what the release did",
      "GET releases/{n}/diff > L3: the earlier one is before",
    ],
    "test/api/releases/properties.test.ts": ["L12: a return gives the table of its release again"],
    "test/api/releases/second-person.test.ts": ["P9, W4: a return that gives more needs it"],
    "test/api/releases/wrong-requests.test.ts": ['POST /api/v1/releases/{n}/return > {"params":{"n":"1"},"body":{}}'],
    "test/server/command-line.test.ts": [
      "open-policy against a running server > X4, W10, L9, L12: files change vehicles' table",
    ],
    "test/api/simulator.test.ts": ["L15: what a vehicle would get > L15: as of a release"],
    "test/api/exchange.test.ts": ["X2: export and import > takes from production as of a release"],
    "test/api/answers.test.ts": ["what routes answer is what they say they answer > 'POST /api/v1/policy/simulate'"],
    "test/api/forms.test.ts": ["finding D1: 'POST /api/v1/policy/simulate'"],
  },
  E4: {
    "test/api/answers.test.ts": ["what routes answer is what they say they answer > shows something in every list"],
    "test/api/console-applications.test.ts": [
      "search, filters and order > offers the known permissions and service types and the countries",
    ],
  },
  [embedded]: {
    "test/faults/outage-answers.test.ts": ["F2: without its database it answers vehicles as before"],
    "test/server/console-list.test.ts": null,
    "test/api/db/killed-start.test.ts": null,
    "test/server/start-and-stop.test.ts": [
      "npm start > answers a head unit from the first data, and says that the database is the embedded one",
      "npm start > refuses a second server on the same DATA_DIR",
    ],
    "test/faults/processes.test.ts": [
      "processes of a server > N1: a vehicle worker and the embedded database come back",
      "processes of a server > F10: processes that start after the socket of the database was removed",
      "processes of a server > F3: without a file of the database writes are 503",
      "default settings > F4: two vehicle workers; killed both at once",
      "other settings: N1, N12: VEHICLE_WORKERS says how many vehicle workers",
    ],
  },
  [slow]: { "test/api/directory/webhook-applied.test.ts": ["1,000 notifications at once"] },
};

export const excuses: readonly Excuse[] = Object.entries(byReason).flatMap(([because, files]) =>
  Object.entries(files).map(([file, tests]) => ({ file, ...(tests && { tests }), because })),
);

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

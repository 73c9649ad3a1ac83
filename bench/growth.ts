import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { gunzipSync } from "node:zlib";
import { calculateObjectSize, EJSON } from "bson";
import type { Measured } from "@/test/support/processes";
import { applications, type DirectoryProcess, startDirectory, startServer, syncEnded } from "@/bench/directory-targets";
import { groupBody, send } from "@/bench/calls";
import type { Report } from "@/bench/report";

/** Assumed working day of a car maker with 10,000 apps. */
const acts = {
  "app or version from the directory, accepted by itself": 50,
  "decision about an app, reported to the directory": 50,
  // Before the next act, because it publishes everything pending.
  "functional group saved and published as a release": 3,
  "functional group saved": 10,
} as const;
type Act = keyof typeof acts;
/** The size of an act is the mean of this many. */
const times = 10;
const workingDays = 250;
const megabyte = 1_000_000;

/**
 * How much daily work adds to the database in a year (`docs/spec/operations.md` O6). Runs each act several times through the
 * API, and compares the size of a backup's documents before and after, as BSON, without indexes and without the directory's
 * queues. Does not subtract what retention removes later.
 */
export async function measureGrowth(report: Report): Promise<void> {
  const directory = await startDirectory(200);
  const { server, end } = await startServer(directory);
  await syncEnded(server);
  const known = await applications(server, "limit=100");
  const perform: Record<Act, (at: number) => Promise<unknown>> = {
    "app or version from the directory, accepted by itself": () => announce(server, directory),
    "decision about an app, reported to the directory": (at) =>
      send(`${server.origin}/api/v1/applications/action`, {
        ...known[at],
        approval_status: "LIMITED",
        denial_message: "Not yet",
      }),
    "functional group saved": (at) => saveGroup(server, at),
    "functional group saved and published as a release": async (at) => {
      await saveGroup(server, at);
      await send(`${server.origin}/api/v1/releases`, { items: "all", force: true, reason: "measured" });
    },
  };
  const rows: [string, number, number, number][] = [];
  for (const [act, perDay] of Object.entries(acts) as [Act, number][]) {
    const before = await weigh(server);
    for (let at = 0; at < times; at++) await perform[act](at);
    const bytes = ((await weigh(server)) - before) / times;
    rows.push([act, Math.round(bytes), perDay, (bytes * perDay * workingDays) / megabyte]);
  }
  report.table(
    `Growth of the database by daily work, ${workingDays} days a year`,
    ["act", "bytes each", "a day", "MB a year"],
    [...rows, ["all", "", "", rows.reduce((sum, [, , , year]) => sum + year, 0)]],
  );
  await end();
  await directory.stop();
}

const nameOf = (at: number) => `Growth-${at}`;

function saveGroup({ origin }: Measured, at: number): Promise<unknown> {
  const rpcs = ["Show", "Alert", "Speak", "AddCommand", "AddSubMenu"];
  return send(`${origin}/api/v1/groups`, groupBody(nameOf(at), {}, rpcs));
}

async function announce(server: Measured, { child }: DirectoryProcess): Promise<void> {
  const uuid = randomUUID();
  child.send({ uuid, webhookUrl: `${server.origin}/api/v1/webhook` });
  await once(child, "message");
  while ((await applications(server, `uuid=${uuid}`)).length === 0) await new Promise((next) => setTimeout(next, 50));
}

/** Collections that empty again as their entries are processed. */
const queues = ["webhook_jobs", "feedback", "directory_tasks"];

/** Bytes of all permanent documents, as in a backup. */
async function weigh({ origin }: Measured): Promise<number> {
  const answer = await fetch(`${origin}/api/v1/backup`);
  const lines = gunzipSync(Buffer.from(await answer.arrayBuffer()))
    .toString("utf8")
    .trimEnd()
    .split("\n");
  let [bytes, collection] = [0, ""];
  for (const line of lines.slice(1, -1)) {
    const document = EJSON.parse(line, { relaxed: false }) as Record<string, unknown>;
    if (typeof document.collection === "string" && Object.keys(document).length === 1) collection = document.collection;
    else if (!queues.includes(collection)) bytes += calculateObjectSize(document);
  }
  return bytes;
}

/**
 * Publishes the same review many times at once, as one of several processes on one database. Prints that it is ready,
 * reads the items from standard input, and prints the result of each publication. Arguments: connection string, database
 * name, count. Runs with `--conditions=react-server`, like server-only modules.
 */
import "@/lib/releases/gate";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { isAppError } from "@/lib/platform/errors";
import { savePublication } from "@/lib/releases/publish/publish-release";
import { publishBody } from "@/lib/releases/publish/schema";

const [uri = "", dbName = "", count = "1"] = process.argv.slice(2);
const writer = { actor: "admin", route: `process ${process.pid}`, requestId: null };

await connect({ uri, dbName });
const lines = createInterface({ input: process.stdin });
process.stdout.write("ready\n");
const [line] = await once(lines, "line");
const { items = "all", ...wish } = publishBody.parse({
  items: JSON.parse(String(line)),
  force: true,
  reason: "nobody drives with it",
});
const outcomes = await Promise.all(
  Array.from({ length: Number(count) }, async () => {
    try {
      return `release ${(await savePublication({ ...wish, items }, writer)).release.number}`;
    } catch (error) {
      if (!isAppError(error)) return String(error);
      return `${error.status} ${error.message}`;
    }
  }),
);
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
lines.close();
await disconnect();

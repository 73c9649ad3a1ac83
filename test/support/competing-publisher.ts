/** One of several processes that publish the same review. Arguments: connection string, database name, count. */
import "@/lib/releases/gate";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { connect, disconnect } from "@/lib/platform/db/connection/connect";
import { AppError } from "@/lib/platform/errors";
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
      if (!(error instanceof AppError)) return String(error);
      return `${error.status} ${error.message}`;
    }
  }),
);
process.stdout.write(`${JSON.stringify(outcomes)}\n`);
lines.close();
await disconnect();

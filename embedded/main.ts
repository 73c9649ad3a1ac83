import { parseArgs } from "node:util";
import { startServer } from "./server";

/*
 * The embedded database as a process of its own, for tests that kill it apart from its clients:
 *   tsx embedded/main.ts --data-dir <folder> [--compaction-bytes <bytes>]
 * prints one line of JSON, {"uri": "mongodb://…"}, and serves until SIGTERM or SIGINT.
 */

const { values } = parseArgs({
  options: { "data-dir": { type: "string" }, "compaction-bytes": { type: "string", default: "16777216" } },
});
const dataDir = values["data-dir"];
if (dataDir === undefined) {
  console.error("usage: tsx embedded/main.ts --data-dir <folder>");
  process.exit(2);
}

try {
  const server = await startServer({
    dataDir,
    compactionBytes: Number(values["compaction-bytes"]),
    report: (line) => console.error(line),
  });
  const stop = () => void server.close().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  console.log(JSON.stringify({ uri: server.uri }));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(1);
}

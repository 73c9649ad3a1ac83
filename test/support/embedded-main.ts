import { parseArgs } from "node:util";
import { startServer } from "@/embedded/server";

/*
 * The embedded database as a program:
 *   tsx test/support/embedded-main.ts --data-dir <folder> [--compaction-bytes <bytes>]
 * prints one line of JSON, {"uri": "mongodb://…"}, and serves until SIGTERM or SIGINT. With a channel to
 * the process that started it (`start.ts`) it also ends, at once, when that is gone.
 */

const { values } = parseArgs({
  options: { "data-dir": { type: "string" }, "compaction-bytes": { type: "string", default: "16777216" } },
});
const dataDir = values["data-dir"];
if (dataDir === undefined) {
  console.error("usage: tsx test/support/embedded-main.ts --data-dir <folder>");
  process.exit(2);
}
process.once("disconnect", () => process.exit(0));

try {
  const server = await startServer({
    dataDir,
    compactionBytes: Number(values["compaction-bytes"]),
    report: (line) => console.error(`embedded database: ${line}`),
  });
  const stop = () => void server.close().then(() => process.exit(0));
  process.once("SIGTERM", stop);
  process.once("SIGINT", stop);
  console.log(JSON.stringify({ uri: server.uri }));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`, () => process.exit(1));
}

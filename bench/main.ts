/**
 * `npm run bench`: side-by-side figures of one run. Every ratio compares two servers under the same requests in turns,
 * because single figures depend on the machine and on what else it does.
 *
 * Options: `--write` puts the report into docs/benchmarks.md; `--quick` measures less of everything.
 */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureApi, temporaryAuthority } from "./api";
import { measureDirectory } from "./directory";
import { measureLane } from "./lane-matrix";
import { measurePromotion } from "./promotion";
import { Report } from "./report";
import { writePart } from "./report-file";
import { filledDataDir, startBare, startOurs } from "./targets";

const { values } = parseArgs({ options: { write: { type: "boolean" }, quick: { type: "boolean" } } });
const seconds = values.quick ? 1 : 3;
const rounds = values.quick ? 1 : 3;
const report = new Report();

const few = filledDataDir(200);
const some = filledDataDir(2_000);
const many = filledDataDir(10_000);
const authority = temporaryAuthority();
try {
  const bare = await startBare();
  // The second start is the one that counts: the first has nothing on disk.
  await (await startOurs(few)).stop();
  await (await startOurs(many)).stop();
  const ours200 = await startOurs(few);
  const ours10000 = await startOurs(many, authority.env);
  report.must("ready after a second start, 200 apps", ours200.readyAfter / 1000, "≤", 3, "s");
  report.must("ready after a second start, 10,000 apps", ours10000.readyAfter / 1000, "≤", 3, "s");

  await measureLane({ report, bare, ours200, ours10000, seconds, rounds });
  await measurePromotion({ report, server: ours10000, seconds });
  report.must("resident memory with 10,000 apps after all of this", ours10000.rss(), "≤", 350, "MiB");

  const ours2000 = await startOurs(some);
  const servers = new Map([
    [200, ours200],
    [2_000, ours2000],
    [10_000, ours10000],
  ]);
  await measureApi({ report, servers, rounds });
  for (const server of [bare, ours200, ours2000, ours10000]) await server.stop();
  await measureDirectory({ report, seconds, rounds });
} finally {
  authority.remove();
  for (const folder of [few, some, many]) rmSync(folder, { recursive: true, force: true });
}

const text = report.toMarkdown("Load", "npm run bench -- --write");
console.log(text);
if (values.write) writePart("load", text);
process.exitCode = report.failures > 0 ? 1 : 0;

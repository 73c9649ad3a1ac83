/**
 * `npm run bench:faults`: measures how vehicles are affected if the rest of the server, its database, its disks or its
 * neighbors fail (`docs/spec/processes.md` section 5). `npm run bench` measures the rows about load.
 *
 * Options: `--write` puts the report into docs/benchmarks.md; `--quick` runs a few rounds of everything; `--only NAME`,
 * repeatable, runs only the named rows; `--list` lists them.
 */
import { parseArgs } from "node:util";
import { endAll } from "@/bench/faults/stage";
import { Report, writePart } from "@/bench/report";
import { measureBeside } from "@/bench/faults/beside";
import { measureChildKills } from "@/bench/faults/child-kills";
import { measureDatabaseFlaps } from "@/bench/faults/database-flaps";
import { measureFirstCar } from "@/bench/faults/first-car";
import { measureFullDisks } from "@/bench/faults/full-disks";
import { measureVehicleWorkerKills } from "@/bench/faults/worker-kills";
import { measureMemory } from "@/bench/faults/memory";
import { measureRollingRestart, measureShippedProxies } from "@/bench/faults/rolling-restart";
import { measureSlowSenders } from "@/bench/faults/slow-senders";
import { measureStarvedStarts } from "@/bench/faults/starved-starts";

/** Experiments on a running server, by the name for `--only`; `docs/spec/processes.md` section 5 explains them. */
const rows = {
  beside: measureBeside,
  "first-car": measureFirstCar,
  memory: measureMemory,
  "database-flaps": measureDatabaseFlaps,
  "child-kills": measureChildKills,
  "worker-kills": measureVehicleWorkerKills,
  "full-disks": measureFullDisks,
  "rolling-restart": measureRollingRestart,
  "shipped-proxy": measureShippedProxies,
  "slow-senders": measureSlowSenders,
  "starved-starts": measureStarvedStarts,
} as const;

const { values } = parseArgs({
  options: {
    write: { type: "boolean" },
    quick: { type: "boolean" },
    list: { type: "boolean" },
    only: { type: "string", multiple: true },
  },
});
const names = Object.keys(rows) as (keyof typeof rows)[];
const unknown = values.only?.find((name) => !(name in rows));
if (values.list || unknown !== undefined) {
  if (unknown !== undefined) console.error(`There is no row ${unknown}. There are:`);
  console.log(names.join("\n"));
  process.exit(unknown === undefined ? 0 : 2);
}

const report = new Report();
for (const name of names) {
  if (values.only && !values.only.includes(name)) continue;
  console.error(`${new Date().toISOString()} ${name}`);
  try {
    await rows[name]({ report, isShort: values.quick ?? false });
  } catch (error) {
    report.broken(name, error);
  } finally {
    await endAll();
  }
}
const text = report.toMarkdown("Faults", "npm run bench:faults -- --write");
console.log(text);
if (values.write) writePart("faults", text);
process.exit(report.failures > 0 ? 1 : 0);

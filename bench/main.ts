/**
 * `npm run bench`: side-by-side results of one run. Every ratio compares two servers under the same requests in turn,
 * because absolute results depend on the machine and its other work.
 *
 * Options: `--write` puts the report into docs/benchmarks.md; `--quick` measures less of everything; `--load` leaves out
 * releases, growth and the console. Only one part: `--vehicles` for the vehicle worker, `--alone` for a vehicle worker without
 * a database and other processes, `--releases` for releases, `--growth` for what daily work adds to the database, `--console`
 * for the console in a browser, `--fleet` for simulated cars and what counting their requests costs, `--sizing` for
 * the load of ten million cars for ten minutes.
 */
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { measureApi, temporaryAuthority } from "@/bench/api";
import { measureConsole } from "@/bench/console";
import { measureDirectory } from "@/bench/directory";
import { measureFleet } from "@/bench/fleet";
import { measureRollouts } from "@/bench/rollout";
import { measureStatistics } from "@/bench/fleet-cost";
import { measureGrowth } from "@/bench/growth";
import { measureSizing } from "@/bench/sizing";
import { measureNext, measureVehicleWorker } from "@/bench/worker-matrix";
import { measurePromotion } from "@/bench/promotion";
import { processesOf } from "@/bench/faults/processes";
import { measureReleases } from "@/bench/releases";
import { vehicleKinds } from "@/bench/requests";
import { Report, writePart } from "@/bench/report";
import { filledDataDir, startVehicleWorkerAlone, startOurs } from "@/bench/targets";

const { values } = parseArgs({
  options: {
    write: { type: "boolean" },
    quick: { type: "boolean" },
    load: { type: "boolean" },
    vehicles: { type: "boolean" },
    alone: { type: "boolean" },
    releases: { type: "boolean" },
    growth: { type: "boolean" },
    console: { type: "boolean" },
    fleet: { type: "boolean" },
    sizing: { type: "boolean" },
  },
});
const seconds = values.quick ? 1 : 3;
const rounds = values.quick ? 1 : 5;
const report = new Report();
const ofReleases = new Report();
const ofGrowth = new Report();
const ofConsole = new Report();
const ofFleet = new Report();
const ofSizing = new Report();
const isOther = values.releases || values.growth || values.console || values.fleet || values.sizing;
const isPart = values.load || values.alone || values.vehicles || isOther;

if (values.alone) await measureVehicleWorkerAlone();
else if (values.vehicles) await measureVehicleWorkerOnly();
else if (values.load || !isPart) await measureAll();
if (values.growth || !isPart) await measureGrowth(ofGrowth);
if (values.releases || !isPart) await measureReleases({ report: ofReleases, seconds, rounds });
if (values.console || !isPart) await measureConsole(ofConsole);
if (values.fleet || !isPart) {
  await measureStatistics({ report: ofFleet, rounds: Math.min(rounds, 2) });
  await measureFleet({ report: ofFleet, cars: values.quick ? 100 : 1_000 });
  await measureRollouts(ofFleet, { cars: 400 });
}
if (values.sizing || !isPart) await measureSizing(ofSizing, values.quick ? 20 : 600);

if (!isOther)
  print("load", report.toMarkdown("Load", `npm run bench -- --load ${values.quick ? "--quick " : ""}--write`));
if (!ofReleases.isEmpty) {
  print("releases", ofReleases.toMarkdown("Releases", "npm run bench -- --releases --write"));
}
if (!ofGrowth.isEmpty) print("growth", ofGrowth.toMarkdown("Growth", "npm run bench -- --growth --write"));
if (!ofConsole.isEmpty) print("console", ofConsole.toMarkdown("Console", "npm run bench -- --console --write"));
if (!ofFleet.isEmpty) print("fleet", ofFleet.toMarkdown("Fleet", "npm run bench -- --fleet --write"));
if (!ofSizing.isEmpty) print("sizing", ofSizing.toMarkdown("Sizing", "npm run bench -- --sizing --write"));
process.exitCode = [report, ofReleases, ofConsole, ofFleet, ofSizing].some(({ failures }) => failures > 0) ? 1 : 0;

function print(part: Parameters<typeof writePart>[0], text: string): void {
  console.log(text);
  if (values.write) writePart(part, text);
}

async function measureVehicleWorkerAlone(): Promise<void> {
  const vehicleWorker = await startVehicleWorkerAlone(200);
  await measureVehicleWorker({ report, vehicleWorker, apps: 200, seconds, rounds });
  await vehicleWorker.stop();
}

async function measureVehicleWorkerOnly(): Promise<void> {
  const folder = filledDataDir(200);
  const one = await startOurs(folder);
  await measureVehicleWorker({ report, vehicleWorker: one, apps: 200, seconds, rounds });
  await one.stop();
  await measureTwo(folder);
  rmSync(folder, { recursive: true, force: true });
}

/** As many as a server has by default. */
async function measureTwo(folder: string): Promise<void> {
  const two = await startOurs(folder, { VEHICLE_WORKERS: "2" });
  const kinds = vehicleKinds.filter(({ apps, isBare }) => apps === 10 && !isBare);
  await measureVehicleWorker({ report, vehicleWorker: two, processes: 2, kinds, apps: 200, seconds, rounds });
  await two.stop();
}

async function measureAll(): Promise<void> {
  const few = filledDataDir(200);
  const some = filledDataDir(2_000);
  const many = filledDataDir(10_000);
  const authority = temporaryAuthority();
  try {
    // Only the second start counts, because nothing is on disk at the first one.
    await (await startOurs(few)).stop();
    await (await startOurs(many)).stop();
    const ours200 = await startOurs(few);
    const ours10000 = await startOurs(many, authority.env);
    report.must("ready after a second start, 200 apps", ours200.readyAfter / 1000, "≤", 3, "s");
    report.must("ready after a second start, 10,000 apps", ours10000.readyAfter / 1000, "≤", 3, "s");

    await measureVehicleWorker({
      report,
      vehicleWorker: ours200,
      vehicleWorkerOfMany: ours10000,
      apps: 200,
      seconds,
      rounds,
    });
    await measureNext(report, ours200, seconds, rounds);
    await measurePromotion({ report, server: ours10000, seconds });
    if (ours10000.has("vehicle-worker")) {
      report.must(
        "resident memory of a vehicle worker with 10,000 apps after all of this",
        ours10000.rss("vehicle-worker"),
        "≤",
        180,
        "MiB",
      );
    }
    report.must("resident memory with 10,000 apps after all of this", ours10000.rss(), "≤", 450, "MiB");
    report.table(
      "Memory with 10,000 apps after all of this, MiB",
      ["process", "resident", "shared pages in parts"],
      processesOf(ours10000.child.pid ?? 0).map(({ name, rss, pss }) => [name, rss, pss]),
    );

    const ours2000 = await startOurs(some);
    const servers = new Map([
      [200, ours200],
      [2_000, ours2000],
      [10_000, ours10000],
    ]);
    await measureApi({ report, servers, rounds: Math.min(rounds, 2) });
    for (const server of [ours200, ours2000, ours10000]) await server.stop();
    await measureTwo(few);
    await measureDirectory({ report, seconds, rounds: Math.min(rounds, 2) });
  } finally {
    authority.remove();
    for (const folder of [few, some, many]) rmSync(folder, { recursive: true, force: true });
  }
}

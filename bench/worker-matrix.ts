import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Measured } from "@/test/support/processes";
import { startDatabase } from "@/test/support/server";
import { answerOf, load, type LoadOptions, type LoadResult, median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { type AppCount, vehicleKinds, vehicleRequests } from "@/bench/requests";
import { startBare, startNextAlone } from "@/bench/targets";

export interface VehicleWorkerMatrix {
  readonly report: Report;
  /** The server with few stored apps, and with many if also compared. */
  readonly vehicleWorker: Measured;
  readonly vehicleWorkerOfMany?: Measured;
  /** Vehicle workers of `vehicleWorker`, and processes of the baseline and of the load. Default: 1. */
  readonly processes?: number;
  /** Default: all. */
  readonly kinds?: typeof vehicleKinds;
  /** Stored apps of `vehicleWorker`. */
  readonly apps: number;
  readonly seconds: number;
  readonly rounds: number;
}

const route = "/api/v1/production/policy";
/** Minimum responses per second relative to bare `node:http`, and maximum CPU time (`processes.md` 5). */
const leastRatio: Readonly<Partial<Record<AppCount, number>>> = { 1: 0.9, 10: 0.95 };
const maxCpu: Readonly<Partial<Record<AppCount, { plain?: number; gzip: number }>>> = {
  10: { plain: 1.05, gzip: 1.05 },
  50: { gzip: 1.3 },
};
/** The same as the first for ten bare ids, which cost nothing to read. */
const leastRatioBare = 0.85;

/** A round counts if the servers were its limit: share of a core that each of their processes used, and the load. */
const [leastBusy, maxOfLoad] = [0.95, 0.9];

/** Result of one target in one round. `cpu`: CPU time per response in microseconds. */
interface Round extends LoadResult {
  readonly cpu: number;
}

/**
 * Compares the vehicle worker with bare `node:http` sending the same bytes while the core of each is busy, and many stored apps
 * with few (`processes.md` N17). CPU time is that of the vehicle worker's own processes, if it has any.
 */
export async function measureVehicleWorker(matrix: VehicleWorkerMatrix): Promise<void> {
  const { report, vehicleWorker, vehicleWorkerOfMany = null, apps: stored, seconds, rounds } = matrix;
  const { processes = 1, kinds = vehicleKinds } = matrix;
  const rows: (string | number)[][] = [];
  const answers = mkdtempSync(path.join(tmpdir(), "bench-answers-"));
  const bare = await startBare(answers, processes);
  const targets = { bare, vehicleWorker, vehicleWorkerOfMany };
  for (const { apps, isBare } of kinds) {
    const bodies = vehicleRequests(apps, stored, undefined, isBare);
    const sent = Math.round(bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / bodies.length);
    const kind = isBare ? `${apps} ids alone` : `${apps} apps`;
    const sizes = { plain: 0, gzip: 0 };
    for (const encoding of ["plain", "gzip"] as const) {
      const isGzip = encoding === "gzip";
      const cell = `/${apps}-${isBare}-${encoding}`;
      sizes[encoding] = await copyAnswers(vehicleWorker, path.join(answers, cell), bodies, isGzip);
      const urlOf = ({ origin }: Measured) => origin + (origin === bare.origin ? cell : route);
      const options = { bodies, isGzip, connections: 20 * processes, seconds, generators: processes };
      const { results, counted } = await takeTurns(targets, urlOf, options, rounds);
      const what = `${kind}, ${encoding}${processes > 1 ? `, ${processes} processes` : ""}`;
      const ratio = against(results.vehicleWorker, results.bare, (one) => one.perSecond);
      const cpu = against(results.vehicleWorker, results.bare, (one) => one.cpu);
      const many = against(results.vehicleWorkerOfMany, results.vehicleWorker, (one) => one.perSecond);
      const typical = (all: readonly Round[], of: (one: Round) => number) => median(all.map(of));
      rows.push([
        ...[kind, sent, encoding, sizes[encoding]],
        ...[
          typical(results.bare, (one) => one.perSecond),
          typical(results.vehicleWorker, (one) => one.perSecond),
          ratio,
        ],
        ...[typical(results.vehicleWorker, (one) => one.p50), typical(results.vehicleWorker, (one) => one.p99)],
        ...[typical(results.bare, (one) => one.cpu), typical(results.vehicleWorker, (one) => one.cpu), cpu],
        ...[typical(results.vehicleWorker, (one) => one.generatorBusy), counted, vehicleWorkerOfMany ? many : ""],
      ]);
      const failed = Object.values(results)
        .flat()
        .reduce((sum, one) => sum + one.failed, 0);
      if (failed > 0) report.must(`failed requests, ${what}`, failed, "≤", 0);
      if (counted === 0) {
        report.broken(
          `vehicle worker / bare node:http, ${what}`,
          new Error("no round counts: the servers had time left"),
        );
        continue;
      }
      const least = isBare ? leastRatioBare : leastRatio[apps];
      if (least !== undefined) report.must(`vehicle worker / bare node:http, ${what}`, ratio, "≥", least);
      const most = isBare ? undefined : maxCpu[apps]?.[encoding];
      if (most !== undefined) {
        report.must(`processor time of vehicle worker / bare node:http, ${what}`, cpu, "≤", most);
      }
      if (vehicleWorkerOfMany && apps === 10 && !isBare)
        report.must(`10,000 stored apps / ${stored}, ${what}`, many, "≥", 0.95);
    }
    if (!isBare) report.must(`gzip bytes of plain bytes, ${apps} apps`, (sizes.gzip / sizes.plain) * 100, "≤", 25, "%");
  }
  await bare.stop();
  rmSync(answers, { recursive: true });
  report.table(
    `${processes} vehicle worker${processes > 1 ? "s" : ""} against as many bare processes (medians; processor time of one answer in µs)`,
    [
      ...["request", "bytes sent", "encoding", "bytes", "bare /s", "vehicle worker /s", "vehicle worker / bare"],
      ...["vehicle worker p50 ms", "vehicle worker p99 ms"],
      ...["bare CPU µs", "vehicle worker CPU µs", "vehicle worker / bare CPU"],
      ...["load's share of a core", "rounds that count", "10,000 / few stored"],
    ],
    rows,
  );
}

/** Writes the vehicle worker's response to each request for the bare server. @returns their average length in bytes */
async function copyAnswers(from: Measured, to: string, bodies: readonly string[], isGzip: boolean): Promise<number> {
  mkdirSync(to);
  let sum = 0;
  for (const [at, body] of bodies.entries()) {
    const answer = await answerOf(from.origin + route, body, isGzip);
    writeFileSync(path.join(to, String(at)), answer);
    sum += answer.length;
  }
  return Math.round(sum / bodies.length);
}

/** Median ratio of two targets, round by round. */
function against(ours: readonly Round[], theirs: readonly Round[], of: (one: Round) => number): number {
  return median(ours.flatMap((one, at) => (theirs[at] ? [of(one) / of(theirs[at])] : [])));
}

/**
 * Loads the targets in turn, several times, so that disturbances of the machine affect all of them. A round that does not
 * count for one of them is repeated, at most as often as there are rounds. Returns all rounds if none
 * counts.
 */
async function takeTurns<Name extends string>(
  targets: Readonly<Record<Name, Measured | null>>,
  urlOf: (target: Measured) => string,
  options: Omit<LoadOptions, "url"> & { readonly generators: number },
  rounds: number,
) {
  const names = Object.keys(targets) as Name[];
  const present = names.flatMap((name) => (targets[name] ? [{ name, target: targets[name] }] : []));
  const results = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>;
  const counts: boolean[] = [];
  for (const { target } of present) await load({ ...options, url: urlOf(target), seconds: 1 });
  while (counts.filter(Boolean).length < rounds && counts.length < 2 * rounds) {
    let isCounted = true;
    for (const { name, target } of present) {
      const role = target.has("vehicle-worker") ? "vehicle-worker" : undefined;
      const before = target.cpuMs(role);
      const result = await load({ ...options, url: urlOf(target) });
      const used = target.cpuMs(role) - before;
      isCounted &&= used >= leastBusy * options.generators * result.milliseconds && result.generatorBusy <= maxOfLoad;
      results[name].push({ ...result, cpu: (used * 1000) / result.answered });
    }
    counts.push(isCounted);
  }
  const counted = counts.filter(Boolean).length;
  if (counted > 0) for (const name of names) results[name] = results[name].filter((_, at) => counts[at]);
  return { results, counted };
}

/** Stored apps in the comparison with Next. */
const nextApps = 200;

/** The same function behind Next's route handler, to measure the cost of the framework. */
export async function measureNext(report: Report, ours: Measured, seconds: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-next-"));
  spawnSync(process.execPath, ["--import", "tsx", "bench/fill.ts", folder, String(nextApps)], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const database = await startDatabase(path.join(folder, "database"));
  const next = await startNextAlone(database.uri, folder);
  // Uncompressed, because Next's route handlers cannot send precompressed responses.
  const options = { bodies: vehicleRequests(10, nextApps), isGzip: false, connections: 20, seconds };
  const results = { ours: [] as LoadResult[], next: [] as LoadResult[] };
  for (let round = 0; round < rounds; round++) {
    results.ours.push(await load({ ...options, url: ours.origin + route }));
    results.next.push(await load({ ...options, url: next.origin + route }));
  }
  const perSecond = (all: readonly LoadResult[]) => median(all.map((one) => one.perSecond));
  const [vehicleWorker, framework] = [perSecond(results.ours), perSecond(results.next)];
  report.table(
    "Vehicle worker against Next's route handler (10 apps, plain, 20 connections)",
    ["vehicle worker /s", "Next /s", "vehicle worker / Next"],
    [[vehicleWorker, framework, vehicleWorker / framework]],
  );
  await next.stop();
  await database.kill();
  rmSync(folder, { recursive: true, force: true });
}

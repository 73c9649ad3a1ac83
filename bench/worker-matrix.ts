import type { Measured } from "@/test/support/processes";
import { answerOf, load, type LoadOptions, type LoadResult, median } from "@/bench/load";
import type { Report } from "@/bench/report";
import { type AppCount, vehicleKinds, vehicleRequests } from "@/bench/requests";
import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { startDatabase } from "@/test/support/server";
import { startNextAlone } from "@/bench/targets";

export interface VehicleWorkerMatrix {
  readonly report: Report;
  readonly bare: Measured;
  /** The server with few stored apps, and with many if also compared. */
  readonly vehicleWorker: Measured;
  readonly vehicleWorkerOfMany?: Measured;
  /** Stored apps of `vehicleWorker`. */
  readonly apps: number;
  readonly seconds: number;
  readonly rounds: number;
}

const route = "/api/v1/production/policy";
/** Minimum responses per second relative to bare `node:http` (20 connections), and maximum CPU time (`processes.md` 5). */
const leastRatio: Readonly<Partial<Record<AppCount, number>>> = { 1: 0.9, 10: 0.95 };
/** The same for ten bare ids, which cost nothing to read. */
const leastRatioBare = 0.85;
const maxCpu = 1.15;

/** Result of one target in one round. `cpu`: CPU time per response in microseconds. */
interface Round extends LoadResult {
  readonly cpu: number;
}

/**
 * Compares the vehicle worker with bare `node:http` sending the same bytes, and many stored apps with few (`processes.md`
 * N17). CPU time is that of the vehicle worker's own processes, if it has any.
 */
export async function measureVehicleWorker(matrix: VehicleWorkerMatrix): Promise<void> {
  const { report, bare, vehicleWorker, vehicleWorkerOfMany, apps: stored, seconds, rounds } = matrix;
  const rows: (string | number)[][] = [];
  for (const { apps, isBare } of vehicleKinds) {
    const bodies = vehicleRequests(apps, stored, undefined, isBare);
    const sent = Math.round(bodies.reduce((sum, body) => sum + Buffer.byteLength(body), 0) / bodies.length);
    const kind = isBare ? `${apps} ids alone` : `${apps} apps`;
    const sizes = { plain: 0, gzip: 0 };
    for (const encoding of ["plain", "gzip"] as const) {
      const isGzip = encoding === "gzip";
      sizes[encoding] = await copyAnswers(vehicleWorker, bare, bodies, isGzip);
      for (const connections of [1, 20]) {
        const targets = { bare, vehicleWorker, vehicleWorkerOfMany: vehicleWorkerOfMany ?? null };
        const results = await takeTurns(targets, { bodies, isGzip, connections, seconds }, rounds);
        const what = `${kind}, ${encoding}, ${connections} connections`;
        const ratio = against(results.vehicleWorker, results.bare, (one) => one.perSecond);
        const cpu = against(results.vehicleWorker, results.bare, (one) => one.cpu);
        const many = against(results.vehicleWorkerOfMany, results.vehicleWorker, (one) => one.perSecond);
        const typical = (all: readonly Round[], of: (one: Round) => number) => median(all.map(of));
        rows.push([
          ...[kind, sent, encoding, connections, sizes[encoding]],
          ...[
            typical(results.bare, (one) => one.perSecond),
            typical(results.vehicleWorker, (one) => one.perSecond),
            ratio,
          ],
          ...[typical(results.vehicleWorker, (one) => one.p50), typical(results.vehicleWorker, (one) => one.p99)],
          ...[typical(results.bare, (one) => one.cpu), typical(results.vehicleWorker, (one) => one.cpu), cpu],
          vehicleWorkerOfMany ? many : "",
        ]);
        const least = isBare ? leastRatioBare : leastRatio[apps];
        if (connections === 20 && least !== undefined)
          report.must(`vehicle worker / bare node:http, ${what}`, ratio, "≥", least);
        if (connections === 20 && apps === 10 && !isBare) {
          report.must(`processor time of vehicle worker / bare node:http, ${what}`, cpu, "≤", maxCpu);
          if (vehicleWorkerOfMany) report.must(`10,000 stored apps / ${stored}, ${what}`, many, "≥", 0.95);
        }
        const failed = Object.values(results)
          .flat()
          .reduce((sum, one) => sum + one.failed, 0);
        if (failed > 0) report.must(`failed requests, ${what}`, failed, "≤", 0);
      }
    }
    if (!isBare) report.must(`gzip bytes of plain bytes, ${apps} apps`, (sizes.gzip / sizes.plain) * 100, "≤", 25, "%");
  }
  report.table(
    "Vehicle worker (medians; processor time of one answer in µs, children included)",
    [
      ...[
        "request",
        "bytes sent",
        "encoding",
        "connections",
        "bytes",
        "bare /s",
        "vehicle worker /s",
        "vehicle worker / bare",
        "vehicle worker p50 ms",
        "vehicle worker p99 ms",
      ],
      ...["bare CPU µs", "vehicle worker CPU µs", "vehicle worker / bare CPU", "10,000 / few stored"],
    ],
    rows,
  );
}

/**
 * Gives the bare server the vehicle worker's response to each request. @returns the average length of a response in bytes
 */
async function copyAnswers(from: Measured, to: Measured, bodies: readonly string[], isGzip: boolean): Promise<number> {
  let sum = 0;
  for (const [at, body] of bodies.entries()) {
    const answer = await answerOf(from.origin + route, body, isGzip);
    const encoding = isGzip ? "gzip" : "identity";
    await fetch(`${to.origin}/answers?encoding=${encoding}&at=${at}`, { method: "PUT", body: new Uint8Array(answer) });
    sum += answer.length;
  }
  return Math.round(sum / bodies.length);
}

/** Median ratio of two targets, round by round. */
function against(ours: readonly Round[], theirs: readonly Round[], of: (one: Round) => number): number {
  return median(ours.flatMap((one, at) => (theirs[at] ? [of(one) / of(theirs[at])] : [])));
}

/** Loads the targets in turn, several times, so that disturbances of the machine affect all of them. */
async function takeTurns<Name extends string>(
  targets: Readonly<Record<Name, Measured | null>>,
  options: Omit<LoadOptions, "url">,
  rounds: number,
): Promise<Record<Name, Round[]>> {
  const names = Object.keys(targets) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as Round[]])) as Record<Name, Round[]>;
  const present = names.flatMap((name) => (targets[name] ? [{ name, target: targets[name] }] : []));
  for (const { target } of present) await load({ ...options, url: target.origin + route, seconds: 1 });
  for (let round = 0; round < rounds; round++) {
    for (const { name, target } of present) {
      const role = target.has("vehicle-worker") ? "vehicle-worker" : undefined;
      const before = target.cpuMs(role);
      const result = await load({ ...options, url: target.origin + route });
      results[name].push({ ...result, cpu: ((target.cpuMs(role) - before) * 1000) / result.answered });
    }
  }
  return results;
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

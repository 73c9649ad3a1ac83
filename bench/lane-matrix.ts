import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import type { Measured } from "@/test/support/processes";
import { startDatabase } from "@/test/support/server";
import { answerOf, load, median, type LoadResult } from "./load";
import type { Report } from "./report";
import { appCounts, vehicleRequest } from "./requests";
import { startNextAlone, storedUuids } from "./targets";

export interface LaneMatrix {
  readonly report: Report;
  readonly bare: Measured;
  readonly ours200: Measured;
  readonly ours10000: Measured;
  readonly seconds: number;
  readonly rounds: number;
}

const route = "/api/v1/production/policy";

/** The vehicle lane against bare `node:http`, and with 10,000 stored apps against 200. */
export async function measureLane({ report, bare, ours200, ours10000, seconds, rounds }: LaneMatrix): Promise<void> {
  const rows: (string | number)[][] = [];
  for (const apps of appCounts) {
    for (const isGzip of [false, true]) {
      const body = vehicleRequest(apps, storedUuids(apps));
      const answer = await answerOf(ours200.origin + route, body, isGzip);
      const encoding = isGzip ? "gzip" : "identity";
      await fetch(`${bare.origin}/answer?encoding=${encoding}`, { method: "PUT", body: new Uint8Array(answer) });
      for (const connections of [1, 20]) {
        const turns = { bare: bare.origin, ours200: ours200.origin + route, ours10000: ours10000.origin + route };
        const results = await takeTurns(turns, { body, isGzip, connections, seconds }, rounds);
        const ratio = median(results.ours200.map((one, at) => one.perSecond / (results.bare[at]?.perSecond ?? 1)));
        const stored = median(
          results.ours10000.map((one, at) => one.perSecond / (results.ours200[at]?.perSecond ?? 1)),
        );
        const typical = (all: readonly LoadResult[], of: (one: LoadResult) => number) => median(all.map(of));
        rows.push([
          ...[apps, isGzip ? "gzip" : "plain", connections, answer.length],
          ...[typical(results.bare, (one) => one.perSecond), typical(results.ours200, (one) => one.perSecond)],
          ...[typical(results.ours200, (one) => one.p50), typical(results.ours200, (one) => one.p99)],
          ...[ratio, stored],
        ]);
        if (connections === 20 && apps === 10) {
          report.must(
            `lane against bare node:http, 10 apps, ${isGzip ? "gzip" : "plain"}, 20 connections`,
            ratio,
            "≥",
            0.8,
          );
          report.must(`10,000 stored apps against 200, ${isGzip ? "gzip" : "plain"}`, stored, "≥", 0.95);
        }
        const failed = Object.values(results)
          .flat()
          .reduce((sum, one) => sum + one.failed, 0);
        if (failed > 0)
          report.must(`failed requests (${apps} apps, ${encoding}, ${connections} connections)`, failed, "≤", 0);
      }
    }
    const body = vehicleRequest(apps, storedUuids(apps));
    const plain = await answerOf(ours200.origin + route, body, false);
    const gzip = await answerOf(ours200.origin + route, body, true);
    report.must(`gzip bytes of plain bytes, ${apps} apps`, (gzip.length / plain.length) * 100, "≤", 25, "%");
  }
  report.table(
    "Vehicle lane",
    [
      "apps",
      "encoding",
      "connections",
      "bytes",
      "bare /s",
      "lane /s",
      "lane p50 ms",
      "lane p99 ms",
      "lane / bare",
      "10,000 / 200 stored",
    ],
    rows,
  );
  await measureNext(report, ours200, seconds, rounds);
}

/** The same function behind Next's route handler: what the framework costs. */
async function measureNext(report: Report, ours: Measured, seconds: number, rounds: number): Promise<void> {
  const folder = mkdtempSync(path.join(tmpdir(), "bench-next-"));
  spawnSync(process.execPath, ["--import", "tsx", "bench/fill.ts", folder, "200"], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const database = await startDatabase(path.join(folder, "database"));
  const next = await startNextAlone(database.uri, folder);
  const body = vehicleRequest(10, storedUuids(10));
  const turns = { lane: ours.origin + route, next: next.origin + route };
  // As it is: Next's route handlers cannot send a compressed answer of their own.
  const results = await takeTurns(turns, { body, isGzip: false, connections: 20, seconds }, rounds);
  const perSecond = (all: readonly LoadResult[]) => median(all.map((one) => one.perSecond));
  const [lane, framework] = [perSecond(results.lane), perSecond(results.next)];
  report.table(
    "Lane against Next's route handler (10 apps, plain, 20 connections)",
    ["lane /s", "Next /s", "lane / Next"],
    [[lane, framework, lane / framework]],
  );
  await next.stop();
  await database.kill();
  rmSync(folder, { recursive: true, force: true });
}

type Load = Omit<Parameters<typeof load>[0], "url">;

/** Loads the targets one after the other, several times: what disturbs the machine disturbs all of them. */
async function takeTurns<Name extends string>(
  targets: Readonly<Record<Name, string>>,
  options: Load,
  rounds: number,
): Promise<Record<Name, LoadResult[]>> {
  const names = Object.keys(targets) as Name[];
  const results = Object.fromEntries(names.map((name) => [name, [] as LoadResult[]])) as Record<Name, LoadResult[]>;
  for (const name of names) await load({ ...options, url: targets[name], seconds: 1 });
  for (let round = 0; round < rounds; round++) {
    for (const name of names) results[name].push(await load({ ...options, url: targets[name] }));
  }
  return results;
}

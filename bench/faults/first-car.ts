import { openSync } from "node:fs";
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { spawn } from "node:child_process";
import path from "node:path";
import { stopProcess } from "@/test/support/processes";
import { aloneEnvironment, freePort } from "@/test/support/server";
import { median } from "@/bench/load";
import { vehicleRequests } from "@/bench/requests";
import { copyOfData, endLater, type Row } from "@/bench/faults/stage";

/** From `npm start` to the first table, at a second start with the policy saved by the first one. */
export async function measureFirstCar({ report, isShort }: Row) {
  const apps = isShort ? 200 : 10_000;
  const dataDir = await copyOfData(apps);
  const times: number[] = [];
  for (let round = 0; round < (isShort ? 1 : 5); round++) times.push(await timeToFirstCar(dataDir));
  report.must(`first car answered after a start, ${apps} apps`, median(times) / 1000, "≤", 1, "s");
  report.table(
    "From the start of the process to the first table of a vehicle, milliseconds",
    ["stored apps", "starts", "fastest", "median", "slowest"],
    [[apps, times.length, Math.min(...times), median(times), Math.max(...times)]],
  );
  return { milliseconds: median(times) };
}

async function timeToFirstCar(dataDir: string): Promise<number> {
  const port = await freePort();
  const log = openSync(path.join(dataDir, "server.log"), "a");
  const env = { ...process.env, ...aloneEnvironment, NODE_ENV: "production", AUTH_TYPE: "", MONGODB_URI: "" };
  const [body = ""] = vehicleRequests(10, 200, 1);
  const start = performance.now();
  const server = spawn(process.execPath, ["scripts/start.mjs"], {
    env: { ...env, DRAIN_SECONDS: "0", DATA_DIR: dataDir, POLICY_SERVER_PORT: String(port) } as NodeJS.ProcessEnv,
    stdio: ["ignore", log, log],
  });
  endLater(() => stopProcess(server, "SIGTERM"));
  while ((await statusOf(port, body)) !== 200) {
    if (server.exitCode !== null) throw new Error(`the server ended with ${server.exitCode}`);
    await wait(10);
  }
  const took = performance.now() - start;
  // Until everything has started: a stop during the start would be another measurement.
  while ((await fetch(`http://127.0.0.1:${port}/version`).catch(() => null))?.status !== 200) await wait(50);
  await stopProcess(server, "SIGTERM");
  return took;
}

function statusOf(port: number, body: string): Promise<number | null> {
  return new Promise((resolve) => {
    const headers = { "content-type": "application/json", "content-length": Buffer.byteLength(body) };
    const options = { host: "127.0.0.1", port, path: "/api/v1/production/policy", method: "POST", headers };
    const outgoing = request({ ...options, agent: false }, (response) => {
      response.resume();
      response.on("end", () => resolve(response.statusCode ?? null));
      response.on("error", () => resolve(null));
    });
    outgoing.on("error", () => resolve(null));
    outgoing.end(body);
  });
}

/**
 * Cars on the road: so many requests a second, whether or not the ones before were answered, each from one of many
 * addresses of this machine. A program of its own, so that what it measures is not its parent's event loop. Gets its
 * options as one line of JSON in its argument; ends and prints the result when its parent says so.
 */
import { Agent, request } from "node:http";
import type { CarOptions, CarResult } from "./cars";

const { origin, perSecond, bodies, patienceMs = 10_000 } = JSON.parse(process.argv[2] ?? "{}") as CarOptions;
const url = new URL("/api/v1/production/policy", origin);
const addresses = 200;
const stepMs = 5;
const agent = new Agent({ keepAlive: true, maxSockets: Infinity, maxFreeSockets: 2_000 });
const latencies: number[] = [];
const failures: Record<string, number> = {};
let sent = 0;
let open = 0;

function send(): void {
  const number = sent++;
  const start = performance.now();
  open += 1;
  let isDone = false;
  const done = (failure: string | null) => {
    if (isDone) return;
    isDone = true;
    open -= 1;
    if (failure === null) latencies.push(performance.now() - start);
    else failures[failure] = (failures[failure] ?? 0) + 1;
  };
  const outgoing = request(url, {
    method: "POST",
    agent,
    localAddress: `127.0.${1 + (number % addresses)}.1`,
    headers: { "content-type": "application/json", "accept-encoding": "gzip" },
  });
  const deadline = setTimeout(() => {
    done("no answer");
    outgoing.destroy();
  }, patienceMs);
  outgoing.on("response", (response) => {
    response.resume();
    response.on("end", () => {
      clearTimeout(deadline);
      done(response.statusCode === 200 ? null : `status ${response.statusCode}`);
    });
    response.on("error", () => done("cut off"));
  });
  outgoing.on("error", (error: NodeJS.ErrnoException) => {
    clearTimeout(deadline);
    // A connection that was closed while it was idle: whoever has sent nothing yet opens another one.
    done(error.code ?? error.message);
  });
  outgoing.end(bodies[number % bodies.length]);
}

const began = performance.now();
const timer = setInterval(() => {
  const due = ((performance.now() - began) / 1000) * perSecond;
  while (sent < due) send();
}, stepMs);

process.once("message", () => {
  clearInterval(timer);
  const wait = setInterval(() => {
    if (open > 0) return;
    clearInterval(wait);
    latencies.sort((a, b) => a - b);
    const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
    const failed = Object.values(failures).reduce((sum, count) => sum + count, 0);
    const result: CarResult = { sent, failed, failures, p50: at(0.5), p99: at(0.99), slowest: latencies.at(-1) ?? 0 };
    process.send?.(result, () => process.exit(0));
  }, 10);
});
process.once("disconnect", () => process.exit(0));
process.send?.("on the road");

/**
 * Simulates cars: a fixed number of requests per second, whether or not earlier ones have been answered, each from one of
 * many addresses of this machine. In its own process, so that it does not measure its parent's event loop. The parent sends
 * the options first, and later the time spans to count in, which ends the process.
 */
import { once } from "node:events";
import { Agent, request, type ClientRequest } from "node:http";
import type { CarOptions, CarResult, Span } from "@/bench/cars";

const addresses = 200;
const stepMs = 5;

/** One request. Times in milliseconds since 1970. */
interface Drive {
  readonly from: number;
  readonly to: number;
  readonly failure: string | null;
  /** From its last byte to the end of its response. */
  readonly latency: number;
}

process.once("disconnect", () => process.exit(0));
const [options] = (await once(process, "message")) as [CarOptions];
const { origin, perSecond, bodies, timeoutMs = 10_000, isNewConnection = false, bodyAfterMs } = options;
const url = new URL("/api/v1/production/policy", origin);
const agent = new Agent({ keepAlive: !isNewConnection, maxSockets: Infinity, maxFreeSockets: 2_000 });
const drives: Drive[] = [];
let sent = 0;
const now = () => performance.timeOrigin + performance.now();

function send(): void {
  const number = sent++;
  const from = now();
  let sentAt = from;
  let isDone = false;
  const done = (failure: string | null) => {
    if (isDone) return;
    isDone = true;
    clearTimeout(deadline);
    const to = now();
    drives.push({ from, to, failure, latency: to - sentAt });
  };
  const body = bodies[number % bodies.length] ?? "";
  const headers = { "content-type": "application/json", "accept-encoding": "gzip", "content-length": byteLength(body) };
  const localAddress = `127.0.${1 + (number % addresses)}.1`;
  const outgoing = request(url, { method: "POST", agent, localAddress, headers });
  const deadline = setTimeout(() => {
    done("no answer");
    outgoing.destroy();
  }, timeoutMs);
  outgoing.on("response", (response) => {
    response.resume();
    response.on("end", () => done(response.statusCode === 200 ? null : `status ${response.statusCode}`));
    response.on("error", () => done("cut off"));
  });
  outgoing.on("error", (error: NodeJS.ErrnoException) => done(error.code ?? error.message));
  sendBody(outgoing, body, () => (sentAt = now()));
}

function sendBody(outgoing: ClientRequest, body: string, onSent: () => void): void {
  if (bodyAfterMs === undefined) {
    outgoing.end(body);
    return;
  }
  outgoing.flushHeaders();
  const [least, max] = bodyAfterMs;
  setTimeout(
    () => {
      onSent();
      outgoing.end(body);
    },
    least + Math.random() * (max - least),
  );
}

function byteLength(body: string): string {
  return String(Buffer.byteLength(body));
}

const began = performance.now();
const timer = setInterval(() => {
  const due = ((performance.now() - began) / 1000) * perSecond;
  while (sent < due) send();
}, stepMs);

process.once("message", ({ spans }: { spans: readonly Span[] }) => {
  clearInterval(timer);
  const wait = setInterval(() => {
    if (drives.length < sent) return;
    clearInterval(wait);
    process.send?.(count(spans), () => process.exit(0));
  }, 10);
});
process.send?.("on the road");

function count(spans: readonly Span[]): CarResult {
  const isIn = (drive: Drive, [from, to]: Span) => drive.from <= to && drive.to >= from;
  const failed = drives.filter(({ failure }) => failure !== null);
  const failures: Record<string, number> = {};
  for (const { failure } of failed) failures[failure ?? ""] = (failures[failure ?? ""] ?? 0) + 1;
  const latencies = drives.flatMap((drive) => (drive.failure === null ? [drive.latency] : [])).sort((a, b) => a - b);
  const at = (share: number) => latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  return {
    sent,
    failed: failed.length,
    failures,
    underWay: spans.map((span) => drives.filter((drive) => isIn(drive, span)).length),
    failedElsewhere: failed.filter((drive) => !spans.some((span) => isIn(drive, span))).length,
    p50: at(0.5),
    p99: at(0.99),
    slowest: latencies.at(-1) ?? 0,
  };
}

import { request } from "node:http";
import { buffer } from "node:stream/consumers";
import autocannon from "autocannon";

/** Result of one limited run of requests. */
export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Requests with a 2xx response. */
  readonly answered: number;
}

export interface LoadOptions {
  readonly url: string;
  /** Sent in turn on every connection, starting with a different one on each. */
  readonly bodies: readonly string[];
  readonly isGzip: boolean;
  readonly connections: number;
  readonly seconds: number;
}

/** Sends requests as fast as they are answered, only on loopback and for a limited time. */
export async function load({ url, bodies, isGzip, connections, seconds }: LoadOptions): Promise<LoadResult> {
  if (new URL(url).hostname !== "127.0.0.1") throw new Error("load goes to this machine only");
  let started = 0;
  const result = await autocannon({
    url,
    method: "POST",
    headers: headersOf(isGzip),
    connections,
    duration: seconds,
    setupClient: (client) => client.setRequests(rotated(bodies, started++).map((body) => ({ body }))),
  });
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
    answered: result["2xx"],
  };
}

/** One raw response, still compressed if so requested. */
export function answerOf(url: string, body: string, isGzip: boolean): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: "POST", headers: headersOf(isGzip) }, (response) => {
      buffer(response).then((answer) => {
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${url} answered ${response.statusCode}: ${answer.toString().slice(0, 200)}`));
      }, reject);
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

function headersOf(isGzip: boolean): Record<string, string> {
  return { "content-type": "application/json", ...(isGzip ? { "accept-encoding": "gzip" } : {}) };
}

function rotated<T>(items: readonly T[], by: number): T[] {
  const at = by % items.length;
  return [...items.slice(at), ...items.slice(0, at)];
}

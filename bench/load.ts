import { fork } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { buffer } from "node:stream/consumers";

/** Result of one limited run of requests. */
export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Requests with a 2xx response. */
  readonly answered: number;
  readonly milliseconds: number;
  /** Share of its time that the busiest generator spent working: near 1, it was the limit, not the server. */
  readonly generatorBusy: number;
}

export interface LoadOptions {
  readonly url: string;
  /** Sent in turn on every connection, starting with a different one on each. */
  readonly bodies: readonly string[];
  readonly isGzip: boolean;
  readonly connections: number;
  readonly seconds: number;
  /** Number of processes that send. */
  readonly generators?: number;
}

/** What one generator reports. `latencies`, `cpu` and `elapsed` in milliseconds. */
export interface Generated {
  readonly latencies: readonly number[];
  readonly failed: number;
  readonly cpu: number;
  readonly elapsed: number;
}

/** Sends requests as fast as they are answered, from other processes, only on loopback and for a limited time. */
export async function load({ generators = 1, ...options }: LoadOptions): Promise<LoadResult> {
  if (new URL(options.url).hostname !== "127.0.0.1") throw new Error("load goes to this machine only");
  const share = { ...options, connections: Math.ceil(options.connections / generators) };
  const results = await Promise.all(Array.from({ length: generators }, () => generate(share)));
  const latencies = results.flatMap((one) => one.latencies).toSorted((a, b) => a - b);
  const milliseconds = Math.max(...results.map(({ elapsed }) => elapsed));
  const at = (rank: number) => latencies[Math.floor(latencies.length * rank)] ?? Number.NaN;
  return {
    ...{ perSecond: (latencies.length / milliseconds) * 1000, p50: at(0.5), p99: at(0.99), milliseconds },
    failed: results.reduce((sum, one) => sum + one.failed, 0),
    answered: latencies.length,
    generatorBusy: Math.max(...results.map(({ cpu, elapsed }) => cpu / elapsed)),
  };
}

async function generate(options: Omit<LoadOptions, "generators">): Promise<Generated> {
  const child = fork(new URL("load-process.ts", import.meta.url), { execArgv: ["--import", "tsx"] });
  const ended = new AbortController();
  child.once("exit", () => ended.abort(new Error("the generator ended before its result")));
  child.send(options);
  return ((await once(child, "message", { signal: ended.signal })) as [Generated])[0];
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

import autocannon from "autocannon";

/** What one bounded run of requests showed. */
export interface LoadResult {
  readonly perSecond: number;
  /** Milliseconds. */
  readonly p50: number;
  readonly p99: number;
  readonly failed: number;
  /** Bytes of one answer, headers left out. */
  readonly bytes: number;
}

export interface LoadOptions {
  readonly url: string;
  readonly body: string;
  readonly isGzip: boolean;
  readonly connections: number;
  readonly seconds: number;
}

/** Sends the same request over and over, on loopback only and for a bounded time. */
export async function load({ url, body, isGzip, connections, seconds }: LoadOptions): Promise<LoadResult> {
  if (new URL(url).hostname !== "127.0.0.1") throw new Error("load goes to this machine only");
  const headers = { "content-type": "application/json", ...(isGzip ? { "accept-encoding": "gzip" } : {}) };
  const bytes = (await answerOf(url, body, isGzip)).length;
  const result = await autocannon({ url, method: "POST", headers, body, connections, duration: seconds });
  return {
    perSecond: result["2xx"] / result.duration,
    p50: result.latency.p50,
    p99: result.latency.p99,
    failed: result.non2xx + result.errors + result.timeouts,
    bytes,
  };
}

/** One answer as it travels, still compressed when it was asked for so. */
export async function answerOf(url: string, body: string, isGzip: boolean): Promise<Buffer> {
  const { request } = await import("node:http");
  return new Promise((resolve, reject) => {
    const headers = { "content-type": "application/json", ...(isGzip ? { "accept-encoding": "gzip" } : {}) };
    const sent = request(url, { method: "POST", headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const answer = Buffer.concat(chunks);
        if (response.statusCode === 200) resolve(answer);
        else reject(new Error(`${url} answered ${response.statusCode}: ${answer.toString().slice(0, 200)}`));
      });
    });
    sent.once("error", reject);
    sent.end(body);
  });
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

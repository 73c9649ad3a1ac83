import { fork } from "node:child_process";
import { once } from "node:events";

export interface CarOptions {
  readonly origin: string;
  readonly perSecond: number;
  /** Sent in turn. */
  readonly bodies: readonly string[];
  /** A car without a response after this many milliseconds counts as failed. Default: 10 s. */
  readonly timeoutMs?: number;
  /** Every car opens its own connection, as head units do; otherwise each address keeps its connection. */
  readonly isNewConnection?: boolean;
  /** Minimum and maximum delay of the body after the headers, in milliseconds. Default: no delay. */
  readonly bodyAfterMs?: readonly [number, number];
}

export interface CarResult {
  readonly sent: number;
  readonly failed: number;
  /** Number of requests by result: a status, or the code of an error. */
  readonly failures: Readonly<Record<string, number>>;
  /** Requests in progress during each given span. */
  readonly underWay: readonly number[];
  /** Failed requests that were in progress during none of these spans. */
  readonly failedElsewhere: number;
  /** Milliseconds from the request's last byte to the end of its response. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

/** From and to, in milliseconds since 1970. */
export type Span = readonly [number, number];

/** Cars that request their tables until stopped. */
export interface Cars {
  /** Stops sending, waits for outstanding responses, and counts. */
  stop(spans?: readonly Span[]): Promise<CarResult>;
  /** Stops at once, without a result. */
  end(): void;
}

/** Sends this many requests per second from many addresses, only on loopback, in a separate process. */
export async function startCars(options: CarOptions): Promise<Cars> {
  if (new URL(options.origin).hostname !== "127.0.0.1") throw new Error("load goes to this machine only");
  const child = fork(new URL("cars-process.ts", import.meta.url), { execArgv: ["--import", "tsx"] });
  child.send(options);
  await answerOf("on the road");
  return {
    async stop(spans = []) {
      child.send({ spans });
      return (await answerOf("the result")) as CarResult;
    },
    end() {
      child.kill("SIGKILL");
    },
  };

  async function answerOf(what: string): Promise<unknown> {
    const ended = new AbortController();
    child.once("exit", () => ended.abort(new Error(`the cars ended before they sent: ${what}`)));
    return ((await once(child, "message", { signal: ended.signal })) as [unknown])[0];
  }
}

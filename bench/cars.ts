import { fork } from "node:child_process";
import { once } from "node:events";

export interface CarOptions {
  readonly origin: string;
  readonly perSecond: number;
  /** Sent in turns. */
  readonly bodies: readonly string[];
  /** A car without an answer after this long counts as failed, in milliseconds; 10 s when not given. */
  readonly timeoutMs?: number;
  /** Every car comes on a connection of its own, as head units do; else each address keeps its connection. */
  readonly isNewConnection?: boolean;
  /** The body comes so long after the headers, at least and at most, in milliseconds; with them when not given. */
  readonly bodyAfterMs?: readonly [number, number];
}

export interface CarResult {
  readonly sent: number;
  readonly failed: number;
  /** How often by what happened: a status, or the code of an error. */
  readonly failures: Readonly<Record<string, number>>;
  /** Requests that were under way in each of the spans that were asked for. */
  readonly underWay: readonly number[];
  /** Failed ones that were under way in none of these spans. */
  readonly failedElsewhere: number;
  /** Milliseconds from the request's last byte to the end of its answer. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

/** From and to, in milliseconds since 1970. */
export type Span = readonly [number, number];

/** Cars that ask for their tables until they are stopped. */
export interface Cars {
  /** Sends no more, waits for the answers under way, and counts. */
  stop(spans?: readonly Span[]): Promise<CarResult>;
  /** Ends them at once, without a result. */
  end(): void;
}

/** Sends so many requests a second, from many addresses, on loopback only, in a process of its own. */
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

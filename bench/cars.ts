import { fork } from "node:child_process";
import { once } from "node:events";

export interface CarOptions {
  readonly origin: string;
  readonly perSecond: number;
  /** Sent in turns. */
  readonly bodies: readonly string[];
  /** A car without an answer after this long counts as failed, in milliseconds; 10 s when not given. */
  readonly patienceMs?: number;
}

export interface CarResult {
  readonly sent: number;
  readonly failed: number;
  /** How often by what happened: a status, or the code of an error. */
  readonly failures: Readonly<Record<string, number>>;
  /** Milliseconds from the request to the end of its answer. */
  readonly p50: number;
  readonly p99: number;
  readonly slowest: number;
}

/** Cars that ask for their tables until they are stopped. */
export interface Cars {
  stop(): Promise<CarResult>;
}

/** Sends so many requests a second, from many addresses, on loopback only, in a process of its own. */
export async function startCars(options: CarOptions): Promise<Cars> {
  if (new URL(options.origin).hostname !== "127.0.0.1") throw new Error("load goes to this machine only");
  const child = fork(new URL("cars-process.ts", import.meta.url), [JSON.stringify(options)], {
    execArgv: ["--import", "tsx"],
  });
  await once(child, "message");
  return {
    async stop() {
      child.send("stop");
      const [result] = (await once(child, "message")) as [CarResult];
      return result;
    },
  };
}

import { type StdioOptions, spawn } from "node:child_process";
import { once } from "node:events";
import type { Order } from "@/test/support/log-process";

/** Starts `log-process.ts`. `stdout`: as in `spawn`; `preload`: a module that runs first. */
export async function startLogChild(stdout: "pipe" | number, preload?: string) {
  const stdio: StdioOptions = ["ignore", stdout, "pipe", "ipc"];
  const before = preload === undefined ? [] : ["--import", preload];
  const child = spawn(process.execPath, [...before, "--import", "tsx", "test/support/log-process.ts"], {
    stdio,
    env: { ...process.env, LOG_LEVEL: "info" },
  });
  await once(child, "message");
  return {
    child,
    /** Sends an order and waits for the response; returns the number of dropped lines so far. */
    order: async (order: Order) => {
      child.send(order);
      const [{ dropped }] = (await once(child, "message")) as [{ dropped: number }];
      return dropped;
    },
    last: async (order: Order) => {
      child.send(order, () => undefined);
      const [status, signal] = (await once(child, "exit")) as [number | null, string | null];
      return { status, signal };
    },
  };
}

/** Reads a stream from now on; returns its lines so far. The last one may be incomplete. */
export function readLines(stream: NodeJS.ReadableStream | null): () => string[] {
  let text = "";
  stream?.setEncoding("utf8");
  stream?.on("data", (piece: string) => (text += piece));
  return () => text.split("\n");
}

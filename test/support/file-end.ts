import { endPending, isOf, leftBehind, type Pending } from "./left-behind";
import type { ChildProcess } from "node:child_process";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import type { Server, Socket } from "node:net";
import type { Worker } from "node:worker_threads";
import { Agent, getGlobalDispatcher, setGlobalDispatcher } from "undici";
import { afterAll } from "vitest";

interface Opened {
  readonly what: () => string;
  readonly isOver: () => boolean;
  readonly started: Error;
}

/** For delayed closing: connections whose other end is gone, processes told to end. Only ends a hang. */
const timeoutMs = 60_000;

const describeSocket = ({ socket }: { socket: Socket }) => ({
  what: () => `a connection between ports ${socket.localPort} and ${socket.remotePort}`,
  isOver: () => socket.destroyed,
});
const channels = {
  "tracing:net.server.listen:asyncEnd": ({ server }: { server: Server }) => ({
    what: () => `a server on ${JSON.stringify(server.address())}`,
    isOver: () => !server.listening,
  }),
  "net.client.socket": describeSocket,
  "net.server.socket": describeSocket,
  child_process: ({ process }: { process: ChildProcess }) => ({
    what: () => `process ${process.pid}, ${process.spawnargs.join(" ")}`,
    isOver: () => process.pid === undefined || process.exitCode !== null || process.signalCode !== null,
  }),
  worker_threads: ({ worker }: { worker: Worker }) => ({
    what: () => `worker thread ${worker.threadId}`,
    isOver: () => worker.threadId === -1,
  }),
};

const opened = new Set<Opened>();
const listeners = Object.entries(channels).map(([channel, describe]) => {
  const note = (message: unknown) => void opened.add({ ...describe(message as never), started: new Error() });
  subscribe(channel, note);
  return { channel, note };
});

/** Their timers wait for something that is over: requests, deliveries of traces, a missing database. */
const endless = [
  "/lib/platform/db/connection/reachable.ts",
  "/lib/platform/db/connection/life-sign.ts",
  "/node_modules/@smithy/node-http-handler/",
  // It retries after an upload was aborted.
  "/node_modules/@smithy/core/",
  "/node_modules/@opentelemetry/sdk-trace/",
  "/node_modules/@opentelemetry/otlp-exporter-base/",
];
/** Their timers may fire at once: they close what is idle (connections of `fetch`), or give up on a missing database. */
const idle = ["node:internal/deps/undici/", "/node_modules/undici/", "/node_modules/mongoose/"];

/** Whatever the file has not stopped fails it, because the next file runs in the same process. */
export async function endFile(timeout = timeoutMs): Promise<void> {
  const timers = await endPending((one) => {
    if (isOf(one, ...endless)) one.end();
    else if (isOf(one, ...idle)) one.run();
  });
  // Not every idle connection of `fetch` notices that the process at its other end is gone.
  void getGlobalDispatcher().close();
  setGlobalDispatcher(new Agent());
  const until = performance.now() + timeout;
  const open = () => [...opened].filter(({ isOver }) => !isOver());
  while (open().length > 0 && performance.now() < until) await new Promise((done) => setTimeout(done, 5));
  const left: Pick<Pending, "what" | "started">[] = open().map(({ what, started }) => ({ what: what(), started }));
  opened.clear();
  if (left.length > 0 || timers.length > 0) throw leftBehind("This file", [...timers, ...left]);
}

// The first hook runs last, after the file's own cleanup. The setup runs again for the next file.
afterAll(async () => {
  for (const { channel, note } of listeners) unsubscribe(channel, note);
  await endFile();
});

import type { ChildProcess } from "node:child_process";
import { subscribe } from "node:diagnostics_channel";
import type { Server, Socket } from "node:net";
import type { Worker } from "node:worker_threads";
import { afterAll } from "vitest";
import { endPending, leftBehind } from "./left-behind";

/** What Node tells when it opens something, and how to see that it is closed. */
interface Opened {
  readonly what: () => string;
  readonly isOver: () => boolean;
  readonly started: Error;
}
const opened = new Set<Opened>();
const open = (what: () => string, isOver: () => boolean) => {
  opened.add({ what, isOver, started: new Error() });
};

const onServer = (message: unknown) => {
  const { server } = message as { server: Server };
  open(
    () => `a server on ${JSON.stringify(server.address())}`,
    () => !server.listening,
  );
};
const onProcess = (message: unknown) => {
  const { process } = message as { process: ChildProcess };
  open(
    () => `process ${process.pid}, ${process.spawnargs.join(" ")}`,
    () => process.pid === undefined || process.exitCode !== null || process.signalCode !== null,
  );
};
const onWorker = (message: unknown) => {
  const { worker } = message as { worker: Worker };
  open(
    () => `worker thread ${worker.threadId}`,
    () => worker.threadId === -1,
  );
};
const onSocket = (message: unknown) => {
  const { socket } = message as { socket: Socket };
  open(
    () => `a connection to ${socket.remoteAddress}:${socket.remotePort}`,
    () => socket.destroyed,
  );
};
subscribe("tracing:net.server.listen:asyncEnd", onServer);
subscribe("child_process", onProcess);
subscribe("worker_threads", onWorker);
subscribe("net.client.socket", onSocket);
subscribe("net.server.socket", onSocket);

afterAll(async () => {
  const timers = await endPending();
  const end = performance.now() + 5000;
  const left = () => [...opened].filter((one) => !one.isOver());
  while (left().length > 0 && performance.now() < end) await new Promise((done) => setTimeout(done, 5));
  const stay = left().map(({ what, started }) => ({ what: what(), started }));
  opened.clear();
  const all = [...timers, ...stay];
  if (all.length > 0) throw leftBehind("This file", all);
});

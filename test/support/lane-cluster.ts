/*
 * Two lanes that share a port, as workers of `node:cluster` among which the kernel spreads connections. Tells the port and,
 * for the message of a worker's number, stops that worker and tells whether anything had to be cut off. Readiness tells
 * the number of the worker as its revision.
 */
import cluster, { type Worker } from "node:cluster";
import { fileURLToPath } from "node:url";
import { startLaneServer } from "@/lib/lane/lane-server";

async function serve(): Promise<void> {
  const none = { staging: 0, production: 0 };
  const server = await startLaneServer({
    settings: {
      ...{ tls: null, listenAddress: "127.0.0.1", policyServerPort: 0, trustProxy: 0, trustProxyAddresses: [] },
      ...{ laneMostPerAddress: 64, consoleMostAtOnce: 4 },
    },
    policy: () => null,
    hooks: {},
    observe: () => undefined,
    observePassedOn: () => undefined,
    status: () => ({
      ...{ state: "ready", revision: cluster.worker?.id ?? 0, builtAt: null, confirmedAt: null, apps: 0 },
      ...{ groups: none, messages: none, database: "embedded", lastError: null, unexpectedDatabase: null },
    }),
    console: { path: "/nonexistent/console.sock" },
    isDraining: () => false,
  });
  process.send?.({ port: server.ports[0] });
  process.once("message", () => {
    void server
      .stop(100_000)
      .then((isForced) => process.send?.({ isForced }, undefined, undefined, () => process.exit(0)));
  });
}

if (cluster.isPrimary) {
  cluster.schedulingPolicy = cluster.SCHED_NONE;
  cluster.setupPrimary({ exec: fileURLToPath(import.meta.url), execArgv: ["--import", "tsx"] });
  const workers: Worker[] = [cluster.fork(), cluster.fork()];
  for (const worker of workers) worker.on("message", (message) => process.send?.(message));
  process.on("message", (id) => cluster.workers?.[String(id)]?.send("stop"));
  process.once("disconnect", () => {
    for (const worker of workers) worker.process.kill();
    process.exit(0);
  });
} else {
  await serve();
}

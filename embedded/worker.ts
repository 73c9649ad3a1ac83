import { parentPort, workerData } from "node:worker_threads";
import { startServer } from "./server";

/*
 * The thread the embedded database runs in. It gets `{ dataDir, lockToken }`, answers `{ uri }` or `{ error }`, and
 * ends with `{ closed: true }` after it was told "close". `{ report }` may come at any time: a line for the log.
 */

const port = parentPort;
if (port === null) throw new Error("worker.ts is started by start.ts; use main.ts for a process of its own");

const given: unknown = workerData;
if (typeof given !== "object" || given === null || !("dataDir" in given) || !("lockToken" in given)) {
  throw new Error("worker.ts needs dataDir and lockToken");
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error));

try {
  const server = await startServer({
    dataDir: String(given.dataDir),
    lockToken: String(given.lockToken),
    report: (line) => port.postMessage({ report: line }),
  });
  port.once("message", () => {
    server
      .close()
      .then(() => port.postMessage({ closed: true }))
      .catch((error: unknown) => port.postMessage({ error: messageOf(error) }));
  });
  port.postMessage({ uri: server.uri });
} catch (error) {
  port.postMessage({ error: messageOf(error) });
}

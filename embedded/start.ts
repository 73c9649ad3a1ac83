import { randomUUID } from "node:crypto";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { releaseLock } from "./storage/folder-lock";

export interface EmbeddedDatabase {
  /** Connection string for the MongoDB driver; give the database name with `dbName`. */
  readonly uri: string;
  /** Finishes what has begun, compacts if worthwhile, gives the folder up. Disconnect clients first. */
  close(): Promise<void>;
}

/** The bundle of the worker beside the running bundle, or the source through tsx where there is no build. */
function defaultWorkerFile(): string {
  const folder = dirname(fileURLToPath(import.meta.url));
  const bundle = join(folder, "embedded-worker.js");
  return existsSync(bundle) ? bundle : join(folder, "worker-tsx.mjs");
}

/** The next message of the worker, or the reason why there will be none. */
function nextMessage(worker: Worker): Promise<object> {
  return new Promise((resolve, reject) => {
    const settle = () => {
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
    };
    const onMessage = (message: unknown) => {
      settle();
      resolve(typeof message === "object" && message !== null ? message : {});
    };
    const onError = (error: unknown) => {
      settle();
      reject(error instanceof Error ? error : new Error(String(error)));
    };
    const onExit = (code: number) => {
      settle();
      reject(new Error(`The embedded database ended unexpectedly (code ${code})`));
    };
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.on("exit", onExit);
  });
}

async function nextMessageOrError(worker: Worker): Promise<object> {
  const message = await nextMessage(worker);
  if ("error" in message) throw new Error(String(message.error));
  return message;
}

/**
 * Starts the embedded database on a folder, in a thread of its own so that it never stalls the caller's.
 *
 * @param options.dataDir folder for its files; made when missing
 * @param options.workerFile bundle of `worker.ts`, when it does not lie beside the running bundle
 * @throws when another process uses the folder or its content is damaged, with a sentence that says so
 */
export async function startEmbeddedDatabase(options: {
  readonly dataDir: string;
  readonly workerFile?: string;
}): Promise<EmbeddedDatabase> {
  const lockToken = randomUUID();
  const worker = new Worker(options.workerFile ?? defaultWorkerFile(), {
    workerData: { dataDir: options.dataDir, lockToken },
    execArgv: [],
  });
  try {
    const message = await nextMessageOrError(worker);
    if (!("uri" in message)) throw new Error("The embedded database gave no address");
    // A thread that dies leaves the lock in the name of this process, which lives on.
    const folder = realpathSync(options.dataDir);
    worker.on("exit", () => releaseLock(folder, lockToken));
    worker.on("error", (error) => process.stderr.write(`embedded database: it ended unexpectedly: ${String(error)}\n`));
    worker.unref(); // an open database alone does not keep the process alive
    let closing: Promise<void> | null = null;
    return { uri: String(message.uri), close: () => (closing ??= close(worker)) };
  } catch (error) {
    await worker.terminate();
    throw error;
  }
}

async function close(worker: Worker): Promise<void> {
  worker.ref();
  const closed = nextMessageOrError(worker);
  worker.postMessage("close");
  try {
    await closed;
  } finally {
    await worker.terminate();
  }
}

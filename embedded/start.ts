import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { Worker } from "node:worker_threads";
import { newLockToken, releaseLock } from "./storage/folder-lock";

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

/** The next message of the worker; throws the error it tells, or when it ends instead. */
async function nextMessage(worker: Worker): Promise<object> {
  const waiting = new AbortController();
  const exited = once(worker, "exit", waiting).then(([code]) => {
    throw new Error(`The embedded database ended unexpectedly (code ${String(code)})`);
  });
  try {
    const [message] = (await Promise.race([once(worker, "message", waiting), exited])) as unknown[];
    if (typeof message !== "object" || message === null) throw new Error("The embedded database gave no message");
    if ("error" in message) throw new Error(String(message.error));
    return message;
  } finally {
    waiting.abort();
    exited.catch(() => undefined);
  }
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
  const lockToken = newLockToken();
  const worker = new Worker(options.workerFile ?? defaultWorkerFile(), {
    workerData: { dataDir: options.dataDir, lockToken },
    execArgv: [],
    // What lives long lives outside of the heap; more room for what does not would only be kept.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  try {
    const message = await nextMessage(worker);
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
  const closed = nextMessage(worker);
  worker.postMessage("close");
  try {
    await closed;
  } finally {
    await worker.terminate();
  }
}

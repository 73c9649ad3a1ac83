import { once } from "node:events";
import { existsSync, realpathSync } from "node:fs";
import { dirname, join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
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

/** The next message of the worker that is no report; throws the error it tells, or when it ends instead. */
async function nextMessage(worker: Worker): Promise<object> {
  const waiting = new AbortController();
  const exited = once(worker, "exit", waiting).then(([code]) => {
    throw new Error(`The embedded database ended unexpectedly (code ${String(code)})`);
  });
  const answered = new Promise<unknown>((resolve) => {
    worker.on("message", (message: unknown) => {
      if (!isReport(message)) resolve(message);
    });
  });
  try {
    const message = await Promise.race([answered, exited]);
    if (typeof message !== "object" || message === null) throw new Error("The embedded database gave no message");
    if ("error" in message) throw new Error(String(message.error));
    return message;
  } finally {
    waiting.abort();
    exited.catch(() => undefined);
  }
}

const isReport = (message: unknown): message is { readonly report: unknown } =>
  typeof message === "object" && message !== null && "report" in message;

export interface EmbeddedOptions {
  /** Folder for its files; made when missing. */
  readonly dataDir: string;
  /** Bundle of `worker.ts`, when it does not lie beside the running bundle. */
  readonly workerFile?: string;
  /** Told what happens, a line each; lines go to the standard error output when not given. */
  readonly report?: (line: string) => void;
  /** Called when it has ended by itself and cannot be started again under the same address. */
  readonly onEnd?: (error: Error) => void;
}

/** How long after its end a database that ended by itself is started again, in milliseconds. */
const restartMilliseconds = 1000;

/**
 * Starts the embedded database on a folder, in a thread of its own so that it never stalls the caller's. When the thread
 * ends by itself, another one takes its place: what was acknowledged is on disk, and clients find their way back.
 *
 * @throws when another process uses the folder or its content is damaged, with a sentence that says so
 */
export async function startEmbeddedDatabase(options: EmbeddedOptions): Promise<EmbeddedDatabase> {
  const report = options.report ?? ((line: string) => process.stderr.write(`embedded database: ${line}\n`));
  const first = await startWorker(options, report);
  let current: Worker | null = first.worker;
  let closing: Promise<void> | null = null;
  const restart = async () => {
    await wait(restartMilliseconds, undefined, { ref: false });
    if (closing) return;
    const next = await startWorker(options, report);
    current = next.worker;
    watch(next.worker);
    if (next.uri !== first.uri) throw new Error("The embedded database has another address after its restart");
    report("it runs again");
  };
  const watch = (worker: Worker) => {
    worker.once("exit", (code) => {
      current = null;
      if (closing) return;
      report(`it ended unexpectedly (code ${code}) and is started again`);
      restart().catch((error: unknown) => {
        const failure = error instanceof Error ? error : new Error(String(error));
        report(`it cannot be started again: ${failure.message}`);
        options.onEnd?.(failure);
      });
    });
  };
  watch(first.worker);
  return { uri: first.uri, close: () => (closing ??= current ? close(current) : Promise.resolve()) };
}

async function startWorker(
  options: EmbeddedOptions,
  report: (line: string) => void,
): Promise<{ readonly uri: string; readonly worker: Worker }> {
  const lockToken = newLockToken();
  const worker = new Worker(options.workerFile ?? defaultWorkerFile(), {
    workerData: { dataDir: options.dataDir, lockToken },
    execArgv: [],
    // What lives long lives outside of the heap; more room for what does not would only be kept.
    resourceLimits: { maxYoungGenerationSizeMb: 12 },
  });
  worker.on("message", (message: unknown) => {
    if (isReport(message)) report(String(message.report));
  });
  worker.on("error", (error) => report(`it failed: ${String(error)}`));
  try {
    const message = await nextMessage(worker);
    if (!("uri" in message)) throw new Error("The embedded database gave no address");
    // A thread that dies leaves the lock in the name of this process, which lives on.
    const folder = realpathSync(options.dataDir);
    worker.prependOnceListener("exit", () => releaseLock(folder, lockToken));
    worker.unref(); // an open database alone does not keep the process alive
    return { uri: String(message.uri), worker };
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

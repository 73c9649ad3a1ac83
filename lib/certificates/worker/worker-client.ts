import "server-only";
import { Worker } from "node:worker_threads";
import {
  type TaskName,
  type WorkerFailure,
  workerFailures,
  type WorkerTasks,
} from "@/lib/certificates/worker/worker-tasks";
import { processGlobal } from "@/lib/platform/process-globals";
import { AppError, errorNamed } from "@/lib/platform/errors";
import { workerFile } from "@/lib/platform/process/worker-file";

/** A task that the worker could not do. The message is for the log and quotes no key and no certificate. */
export class WorkerTaskError extends Error {
  override readonly name = "WorkerTaskError";

  constructor(
    readonly failure: WorkerFailure,
    reason: string,
  ) {
    super(reason);
  }
}
export const isWorkerTaskError = errorNamed<WorkerTaskError>("WorkerTaskError");

export interface WorkerClientOptions {
  /** The program of the worker: a path, or a URL; asked at every start of a worker. */
  readonly program: () => string | URL;
  /** Tasks that may wait for their turn. */
  readonly maxWaiting?: number;
  /** Milliseconds after which a task is given up and its worker replaced. */
  readonly timeoutMs?: number;
}

interface Job {
  readonly name: TaskName;
  readonly input: unknown;
  readonly resolve: (output: unknown) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Hands tasks to one worker thread, one at a time in the order of arrival. The worker is started for the first task,
 * does not keep the process alive while it is idle, and is replaced when it ends or does not answer.
 */
export class WorkerClient {
  readonly #options: Required<WorkerClientOptions>;
  readonly #waiting: Job[] = [];
  #worker: Worker | null = null;
  #isBusy = false;
  #lastId = 0;

  constructor({ program, maxWaiting = 64, timeoutMs = 60_000 }: WorkerClientOptions) {
    this.#options = { program, maxWaiting, timeoutMs };
  }

  /**
   * Has the worker do a task.
   *
   * @throws AppError 503 when too many tasks wait already; WorkerTaskError when the task fails, its worker ends, or it
   *   takes too long
   */
  run<Name extends TaskName>(name: Name, input: WorkerTasks[Name]["input"]): Promise<WorkerTasks[Name]["output"]> {
    if (this.#waiting.length >= this.#options.maxWaiting) {
      return Promise.reject(new AppError("unavailable", "Too many certificate requests are waiting"));
    }
    const done = new Promise<unknown>((resolve, reject) => this.#waiting.push({ name, input, resolve, reject }));
    void this.#work();
    // The worker answers each task with what `WorkerTasks` says; both sides are one build.
    return done as Promise<WorkerTasks[Name]["output"]>;
  }

  /** Ends the worker; a task under way fails. Tasks that follow start another one. */
  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #work(): Promise<void> {
    if (this.#isBusy) return;
    this.#isBusy = true;
    for (let job = this.#waiting.shift(); job !== undefined; job = this.#waiting.shift()) {
      try {
        job.resolve(await this.#do(job));
      } catch (error) {
        job.reject(error);
      }
    }
    this.#isBusy = false;
    this.#worker?.unref();
  }

  async #do({ name, input }: Job): Promise<unknown> {
    const worker = (this.#worker ??= this.#start());
    worker.ref();
    const id = (this.#lastId += 1);
    const answer = answerOf(worker, id, this.#options.timeoutMs);
    worker.postMessage({ id, name, input });
    try {
      return await answer;
    } catch (error) {
      if (!isWorkerTaskError(error)) {
        // Nobody knows what state it is in.
        if (this.#worker === worker) this.#worker = null;
        void worker.terminate();
        throw new WorkerTaskError("failed", error instanceof Error ? error.message : "the worker failed");
      }
      throw error;
    }
  }

  #start(): Worker {
    const worker = new Worker(/* turbopackIgnore: true */ this.#options.program(), { execArgv: [] });
    // An idle worker that ends is replaced when it is needed again.
    const forget = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on("error", forget);
    worker.on("exit", forget);
    return worker;
  }
}

/** The worker's answer to one task. Rejects with a WorkerTaskError for a failure it reports, otherwise with an Error. */
function answerOf(worker: Worker, id: number, timeoutMs: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const settle = (finish: () => void) => {
      clearTimeout(timer);
      worker.off("message", onMessage);
      worker.off("error", onError);
      worker.off("exit", onExit);
      finish();
    };
    const onMessage = (message: unknown) => {
      if (typeof message !== "object" || message === null || !("id" in message) || message.id !== id) return;
      settle(() => {
        if ("output" in message) resolve(message.output);
        else reject(readFailure(message));
      });
    };
    const onError = () => settle(() => reject(new Error("the certificate worker failed")));
    const onExit = () => settle(() => reject(new Error("the certificate worker ended")));
    const timer = setTimeout(() => settle(() => reject(new Error("the certificate worker did not answer"))), timeoutMs);
    worker.on("message", onMessage);
    worker.on("error", onError);
    worker.on("exit", onExit);
  });
}

function readFailure(message: object): WorkerTaskError {
  const told = "failure" in message ? message.failure : undefined;
  const failure = workerFailures.find((one) => one === told) ?? "failed";
  const reason = "reason" in message && typeof message.reason === "string" ? message.reason : "unknown";
  return new WorkerTaskError(failure, reason);
}

/** The one certificate worker of this process, shared by the server entry and the bundles of Next. */
export function certificateWorker(): WorkerClient {
  return processGlobal(
    "certificate-worker",
    () => new WorkerClient({ program: () => workerFile("certificate-worker") }),
  );
}

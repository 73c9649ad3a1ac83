"one per process";

import "server-only";
import { Worker } from "node:worker_threads";
import pLimit from "p-limit";
import type { WorkerAnswer, WorkerFailure, WorkerTasks } from "@/lib/certificates/worker/worker";
import { AppError } from "@/lib/platform/errors";
import { callWorker } from "@/lib/platform/process/call-worker";
import { workerFile } from "@/lib/platform/process/worker-file";

/** A task that failed in the worker. The message is for the log and quotes neither keys nor certificates. */
export class WorkerTaskError extends Error {
  override readonly name = "WorkerTaskError";

  constructor(
    readonly failure: WorkerFailure,
    reason: string,
  ) {
    super(reason);
  }
}

export interface WorkerClientOptions {
  /** The program of the worker as a path or URL; evaluated at every start of a worker. */
  readonly program: () => string | URL;
  readonly maxWaiting?: number;
  /** Milliseconds after which a task fails and its worker is replaced. */
  readonly timeoutMs?: number;
}

/** One task at a time. Keeps no idle process alive, and replaces a worker that ends or does not respond. */
export class WorkerClient {
  readonly #options: Required<WorkerClientOptions>;
  readonly #inTurn = pLimit(1);
  #worker: Worker | null = null;

  constructor({ program, maxWaiting = 64, timeoutMs = 60_000 }: WorkerClientOptions) {
    this.#options = { program, maxWaiting, timeoutMs };
  }

  /** Throws AppError 503 if too many tasks are waiting, WorkerTaskError if the task fails or takes too long. */
  async run<Name extends keyof WorkerTasks>(
    name: Name,
    input: Parameters<WorkerTasks[Name]>[0],
  ): Promise<Awaited<ReturnType<WorkerTasks[Name]>>> {
    if (this.#inTurn.pendingCount >= this.#options.maxWaiting) {
      throw new AppError("unavailable", "Too many certificate requests are waiting");
    }
    const answer = await this.#inTurn(() => this.#ask({ name, input }));
    if ("failure" in answer) throw new WorkerTaskError(answer.failure, answer.reason);
    // The cast is safe: the worker answers as declared in `WorkerTasks`, and both sides belong to one build.
    return answer.output as Awaited<ReturnType<WorkerTasks[Name]>>;
  }

  async stop(): Promise<void> {
    const worker = this.#worker;
    this.#worker = null;
    await worker?.terminate();
  }

  async #ask(request: object): Promise<WorkerAnswer> {
    try {
      const worker = (this.#worker ??= this.#start());
      worker.ref();
      const answer = await callWorker(worker, request, this.#options.timeoutMs);
      worker.unref();
      return answer as WorkerAnswer;
    } catch (error) {
      void this.stop();
      throw new WorkerTaskError("failed", error instanceof Error ? error.message : "the worker failed");
    }
  }

  #start(): Worker {
    const worker = new Worker(/* turbopackIgnore: true */ this.#options.program(), { execArgv: [] });
    // An idle worker that ends is replaced when needed.
    const forget = () => {
      if (this.#worker === worker) this.#worker = null;
    };
    worker.on("error", forget);
    worker.on("exit", forget);
    return worker;
  }
}

const own = new WorkerClient({ program: () => workerFile("certificate-worker") });

export function certificateWorker(): WorkerClient {
  return own;
}

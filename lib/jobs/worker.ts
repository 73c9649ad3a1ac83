"one per process";

import "server-only";
import { isUnavailable } from "@/lib/platform/db/connection/errors";
import { pause, shareWork, Signal, within } from "@/lib/platform/async";
import { log } from "@/lib/platform/log";
import { startPollLoop } from "@/lib/jobs/poll-loop";
import type { Batch, JobQueue } from "@/lib/jobs/queue";

export interface WorkerTimes {
  /** Milliseconds; default: 1 s. */
  readonly pollMs?: number;
  /** Milliseconds until other workers may take the elements of a dead one; default: 60 s. */
  readonly leaseMs?: number;
  /** Milliseconds that `stop` waits for running batches; default: 5 s. */
  readonly stopMs?: number;
}

interface WorkerOptions<Job extends { readonly _id: string }, Client> extends WorkerTimes {
  readonly name: string;
  readonly queue: JobQueue<Job>;
  /** Null if the work can't be done now; then nothing is taken from the queue. */
  readonly client: () => Client | null;
  /** Finishes or postpones all elements. What it leaves is repeated when the lease ends. */
  readonly work: (client: Client, batch: Batch<Job>, stop: AbortSignal) => Promise<void>;
  readonly perBatch: number;
  /** A batch that hangs must not block the others. */
  readonly maxBatches: number;
  /** Ends what the work has begun besides; a stop waits for it. */
  readonly end?: () => unknown;
  /** Takes one batch per poll. */
  readonly isSlow?: () => boolean;
}

export interface Worker {
  readonly isReady: boolean;
  /** Resolves when the next batch ends, or after a poll's time, in which another instance may have done something. */
  nextEnd(): Promise<void>;
  wake(): void;
  stop(): Promise<void>;
}

const workers = new Map<string, Worker>();

/** Null if this process has none, although another may. */
export function findWorker(name: string): Worker | null {
  return workers.get(name) ?? null;
}

/** Leases expire, so a killed process loses no element, and several processes share a queue. */
export function startWorker<Job extends { readonly _id: string }, Client>(options: WorkerOptions<Job, Client>): Worker {
  const { name, queue, perBatch, maxBatches, isSlow = () => false } = options;
  const { pollMs = 1_000, leaseMs = 60_000, stopMs = 5_000 } = options;
  const stopping = new AbortController();
  const running = new Set<Promise<void>>();
  const ended = new Signal();

  async function look(): Promise<boolean> {
    const client = options.client();
    if (client === null || running.size >= maxBatches) return false;
    const batch = await queue.claim(perBatch, leaseMs);
    if (batch === null || batch.jobs.length === 0) return batch !== null;
    const run = work(client, batch).finally(() => {
      running.delete(run);
      ended.give();
      if (!isSlow()) loop.wake();
    });
    running.add(run);
    return !isSlow();
  }

  async function work(client: Client, batch: Batch<Job>): Promise<void> {
    const renewal = setInterval(() => {
      // If the renewal fails, the claim may be lost, which only causes the work to be repeated.
      queue.renew(batch, leaseMs).catch(() => undefined);
    }, leaseMs / 3);
    try {
      await options.work(client, batch, stopping.signal);
    } catch (error) {
      // The next poll tells that the database is away.
      if (!isUnavailable(error)) log.error({ worker: name, err: error }, "checking for directory work failed");
    } finally {
      clearInterval(renewal);
    }
  }

  const loop = startPollLoop(name, pollMs, look);
  const worker: Worker = {
    get isReady() {
      return !stopping.signal.aborted && options.client() !== null;
    },
    nextEnd: shareWork(() => pause(pollMs, [ended.next])),
    wake: () => loop.wake(),
    stop: async () => {
      stopping.abort();
      if (workers.get(name) === worker) workers.delete(name);
      await loop.stop();
      const ending = Promise.all(running).then(() => options.end?.());
      await within(stopMs, ending, () => undefined);
      ended.give();
    },
  };
  workers.set(name, worker);
  return worker;
}

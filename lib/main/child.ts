import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { Backoff } from "@/lib/main/backoff";
import type { ToChild, ToMain } from "@/lib/process/messages";

export interface ChildOptions {
  /** What log and metrics call it, e.g. `lane-1`. */
  readonly name: string;
  /** Starts the process. */
  readonly start: () => ChildProcess;
  /** Told what it says; `alive` is dealt with here. */
  readonly onMessage: (message: ToMain) => void;
  /** Called when it can never run: with sentences for the operator. */
  readonly onGiveUp: (problems: readonly string[]) => void;
  /** Called when a process of this name listens, and when it has ended. */
  readonly onHello: () => void;
  readonly onEnd: () => void;
  /** Whether another one may run beside a stuck one, so that it is started before that is ended (rule N2). */
  readonly mayOverlap: boolean;
  /** When to start it again; for tests. */
  readonly backoff?: Backoff;
  readonly log: Log;
}

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

/** Starts in a row that may come to nothing. */
const mostFailedStarts = 10;
/** Seconds without a sign of the event loop after which a process counts as stuck (rule N4). */
const mostSilence = 10;
/** A console that has been ready for so long knows its database, or has lost it. */
const firstReadyMs = 60_000;

/** One process of this server as `main` sees it: started, started again when it ends by itself, stopped (rules N1, N4). */
export class Child {
  readonly name: string;
  readonly #options: ChildOptions;
  readonly #backoff: Backoff;
  #process: ChildProcess | null = null;
  /** One that is stuck, until the other is ready. */
  #stuck: ChildProcess | null = null;
  #readySince: number | null = null;
  #wasReady = false;
  #isStopping = false;
  #silence: number | null = null;
  #restarts = 0;
  readonly #listeners = new Set<(message: ToMain) => void>();
  #waiting: NodeJS.Timeout | undefined;

  constructor(options: ChildOptions) {
    this.name = options.name;
    this.#options = options;
    this.#backoff = options.backoff ?? new Backoff();
  }

  /** Whether it does its work. */
  get isReady(): boolean {
    return this.#readySince !== null;
  }

  /** How often it was started again. */
  get restarts(): number {
    return this.#restarts;
  }

  start(): void {
    const started = this.#options.start();
    this.#process = started;
    this.#readySince = null;
    this.#silence = null;
    started.on("message", (message) => {
      if (this.#process === started) this.#take(message as ToMain);
    });
    // Not started at all, or not reachable any more: its end is what counts.
    started.on("error", (error) => this.#options.log.error({ err: error, child: this.name }, "a process failed"));
    started.once("exit", (code, signal) => {
      if (this.#process === started) this.#ended(code, signal);
      else if (this.#stuck === started) this.#stuck = null;
    });
  }

  /** Calls back for every message; returns what ends it. */
  on(listener: (message: ToMain) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tell(message: ToChild): void {
    if (this.#process?.connected === true) this.#process.send(message, () => undefined);
  }

  /** Ends it by force; it is started again. */
  kill(reason: string): void {
    this.#options.log.error({ child: this.name }, reason);
    this.#process?.kill("SIGKILL");
  }

  /** To be called every second: a process whose event loop has stood for 10 s is ended by force (rule N4). */
  tick(): void {
    if (this.#silence === null) return;
    this.#silence += 1;
    if (this.#silence <= mostSilence) return;
    this.#silence = null;
    const reason = `its event loop stands for ${mostSilence} s: it is ended and started again`;
    if (this.#options.mayOverlap && this.#stuck === null) this.#replace(reason);
    else this.kill(reason);
  }

  #replace(reason: string): void {
    this.#options.log.error({ child: this.name }, reason);
    this.#stuck = this.#process;
    this.#restarts += 1;
    this.#options.onEnd();
    this.start();
  }

  /**
   * Has it finish and end.
   *
   * @param patienceMs then it is ended by force, in milliseconds
   * @returns whether it has finished everything by itself
   */
  async stop(patienceMs: number): Promise<boolean> {
    this.#isStopping = true;
    clearTimeout(this.#waiting);
    this.#stuck?.kill("SIGKILL");
    const running = this.#process;
    if (running === null) return true;
    const ended = once(running, "exit");
    const deadline = setTimeout(() => running.kill("SIGKILL"), patienceMs);
    this.tell({ kind: "stop" });
    const [status] = (await ended) as [number | null];
    clearTimeout(deadline);
    return status === 0;
  }

  /** Ends it at once, without a word. */
  destroy(): void {
    this.#isStopping = true;
    clearTimeout(this.#waiting);
    for (const one of [this.#stuck, this.#process]) one?.kill("SIGKILL");
  }

  /**
   * Whether it has not been ready yet, or just now for the first time: a console answers before it knows its database, which
   * may be one that it refuses (rule B2).
   */
  get #isStarting(): boolean {
    if (!this.#wasReady) return true;
    return this.#restarts === 0 && this.#readySince !== null && performance.now() - this.#readySince < firstReadyMs;
  }

  #take(message: ToMain): void {
    if (message.kind === "alive") {
      this.#silence = 0;
      return;
    }
    if (message.kind === "hello") this.#options.onHello();
    if (message.kind === "ready") {
      this.#wasReady = true;
      this.#readySince = performance.now();
      this.#stuck?.kill("SIGKILL");
    }
    // Later the same may come from a passing cause, e.g. a port that another program took in between.
    if (message.kind === "refused" && this.#isStarting) {
      this.#isStopping = true;
      this.#options.onGiveUp(message.problems);
      return;
    }
    this.#options.onMessage(message);
    for (const listener of this.#listeners) listener(message);
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    const usefulMs = this.#readySince === null ? null : performance.now() - this.#readySince;
    this.#process = null;
    this.#readySince = null;
    this.#silence = null;
    this.#options.onEnd();
    if (this.#isStopping) return;
    const waitMs = this.#backoff.next(usefulMs);
    const details = { child: this.name, code, signal, again_in_seconds: waitMs / 1000 };
    this.#options.log.error(details, "a process ended by itself and is started again");
    if (this.#backoff.failedStarts >= mostFailedStarts) {
      this.#isStopping = true;
      this.#options.onGiveUp([`The process ${this.name} has failed ${mostFailedStarts} times in a row at its start`]);
      return;
    }
    this.#restarts += 1;
    this.#waiting = setTimeout(() => this.start(), waitMs);
  }
}

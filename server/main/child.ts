import type { ChildProcess, SendHandle } from "node:child_process";
import type { BoundSocket } from "@/lib/platform/listen/bind";
import { Backoff } from "@/server/main/backoff";
import { type LongestSilence, Silence } from "@/server/main/silence";
import type { ToChild, ToMain } from "@/lib/platform/process/messages";
import { within } from "@/lib/platform/async";
import { once } from "node:events";

export interface ChildOptions {
  readonly name: string;
  readonly start: () => ChildProcess;
  readonly onMessage: (message: ToMain) => void;
  readonly onGiveUp: (problems: readonly string[]) => void;
  /** Whether vehicles get answers without it, so that restarts never give up. */
  readonly isDispensable?: () => boolean;
  readonly onHello: () => void;
  readonly onEnd: () => void;
  /** Whether a second one may run at the same time, so that it starts before a stuck one is killed. */
  readonly mayOverlap: boolean;
  readonly backoff?: Backoff;
  readonly longestSilence?: LongestSilence;
  readonly log: Log;
}

export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

const maxFailedStarts = 10;
const killedMs = 1_000;
/** A console that was ready for this long has checked its database, or has lost it. */
const firstReadyMs = 60_000;

/** A child process of `main`: starts it, restarts it if it ends on its own, and stops it. */
export class Child {
  readonly name: string;
  readonly #options: ChildOptions;
  readonly #backoff: Backoff;
  #process: ChildProcess | null = null;
  #previous: { readonly process: ChildProcess; readonly isStuck: boolean; readonly end: () => void } | null = null;
  #readySince: number | null = null;
  #wasReady = false;
  #isStopping = false;
  #silence: Silence;
  memory = 0;
  restarts = 0;
  readonly #listeners = new Set<(message: ToMain) => void>();
  #waiting: NodeJS.Timeout | undefined;

  constructor(options: ChildOptions) {
    this.name = options.name;
    this.#options = options;
    this.#backoff = options.backoff ?? new Backoff();
    this.#silence = new Silence(undefined);
  }

  get isReady(): boolean {
    return this.#readySince !== null;
  }

  get readyMs(): number {
    return this.#readySince === null ? 0 : performance.now() - this.#readySince;
  }

  get isBeingReplaced(): boolean {
    return this.#previous !== null;
  }

  get usableMs(): number {
    return this.#silence.usableMs;
  }

  start(): void {
    this.#readySince = null;
    this.memory = 0;
    let started: ChildProcess;
    try {
      started = this.#options.start();
    } catch (error) {
      this.#failed(error);
      this.#ended(null, null);
      return;
    }
    this.#process = started;
    this.#silence = new Silence(started.pid, this.#options.longestSilence);
    started.on("message", (message) => {
      if (this.#process === started) this.#take(message as ToMain);
    });
    started.on("error", (error) => {
      this.#failed(error);
      // Of one that is no longer reachable, only the exit counts. One that the system did not start has none.
      if (started.pid === undefined && this.#process === started) this.#ended(null, null);
    });
    started.once("exit", (code, signal) => {
      if (this.#process === started) this.#ended(code, signal);
      else if (this.#previous?.process === started) this.#previous = null;
    });
  }

  #failed(error: unknown): void {
    this.#options.log.error({ err: error, child: this.name }, "a process failed");
  }

  on(listener: (message: ToMain) => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  tell(message: ToChild, socket?: BoundSocket): void {
    if (this.#process !== null) send(this.#process, message, socket);
  }

  kill(reason: string): void {
    this.#options.log.error({ child: this.name }, reason);
    this.#process?.kill("SIGKILL");
  }

  /** Call every second. Kills or replaces a process whose event loop is blocked. */
  tick(): void {
    if (this.#process === null) return;
    const seconds = this.#silence.look(this.isReady);
    if (seconds === null) return;
    const reason = `its event loop has not run for ${seconds} s: restarting it`;
    if (!this.#options.mayOverlap || this.#previous !== null) {
      this.kill(reason);
      return;
    }
    this.#options.log.error({ child: this.name }, reason);
    this.#startBeside(true, (stuck) => stuck.kill("SIGKILL"));
  }

  renew(reason: string, drainMs: number, finishMs: number): void {
    if (this.#previous !== null || this.#isStopping) return;
    this.#options.log.warn({ child: this.name }, reason);
    this.#startBeside(false, (old) => {
      send(old, { kind: "retire" });
      setTimeout(() => void finish(old, finishMs), drainMs).unref();
    });
  }

  #startBeside(isStuck: boolean, end: (old: ChildProcess) => void): void {
    const old = this.#process;
    if (old === null) return;
    this.#previous = { process: old, isStuck, end: () => end(old) };
    this.restarts += 1;
    this.#options.onEnd();
    this.start();
  }

  async stop(timeoutMs: number): Promise<boolean> {
    this.#isStopping = true;
    clearTimeout(this.#waiting);
    const previous = this.#previous;
    if (previous?.isStuck === true) previous.process.kill("SIGKILL");
    const running = [previous?.isStuck === false ? previous.process : null, this.#process];
    const ends = running.flatMap((one) => (one === null ? [] : [finish(one, timeoutMs)]));
    return (await Promise.all(ends)).every(Boolean);
  }

  destroy(): void {
    this.#isStopping = true;
    clearTimeout(this.#waiting);
    for (const one of [this.#previous?.process, this.#process]) one?.kill("SIGKILL");
  }

  /** Whether it was never ready, or has just become so: a console responds before it has checked its database. */
  get #isStarting(): boolean {
    if (!this.#wasReady) return true;
    return this.restarts === 0 && this.#readySince !== null && this.readyMs < firstReadyMs;
  }

  #take(message: ToMain): void {
    if (message.kind === "alive") {
      this.#silence.end();
      this.memory = message.memory ?? this.memory;
      return;
    }
    if (message.kind === "hello") this.#options.onHello();
    if (message.kind === "ready") {
      this.#wasReady = true;
      this.#readySince = performance.now();
      this.#previous?.end();
    }
    if (message.kind === "refused") {
      if (this.#isStarting) {
        this.#isStopping = true;
        this.#options.onGiveUp(message.problems);
        return;
      }
      // The cause may pass, e.g. a file that is being replaced.
      this.#options.log.error({ child: this.name, problems: message.problems }, "a process cannot start");
    }
    this.#options.onMessage(message);
    for (const listener of this.#listeners) listener(message);
  }

  #ended(code: number | null, signal: NodeJS.Signals | null): void {
    const usefulMs = this.#readySince === null ? null : this.readyMs;
    this.#process = null;
    this.#readySince = null;
    this.#options.onEnd();
    if (this.#isStopping) return;
    const waitMs = this.#backoff.next(usefulMs);
    const details = { child: this.name, code, signal, again_in_seconds: waitMs / 1000 };
    this.#options.log.error(details, "a process ended unexpectedly and is started again");
    if (this.#backoff.failedStarts >= maxFailedStarts && this.#options.isDispensable?.() !== true) {
      this.#isStopping = true;
      this.#options.onGiveUp([`The process ${this.name} has failed ${maxFailedStarts} times in a row at its start`]);
      return;
    }
    this.restarts += 1;
    this.#waiting = setTimeout(() => this.start(), waitMs);
  }
}

export function send(to: ChildProcess, message: ToChild, socket?: BoundSocket): void {
  // The types only allow servers made of such sockets.
  if (to.connected) to.send(message, socket as unknown as SendHandle | undefined, () => undefined);
}

/** Stops a process, by force after `timeoutMs` milliseconds. Resolves to whether it finished on its own. */
export async function finish(running: ChildProcess, timeoutMs: number): Promise<boolean> {
  if (running.exitCode !== null || running.signalCode !== null) return running.exitCode === 0;
  const ended = once(running, "exit").then(([status]) => status === 0);
  send(running, { kind: "stop" });
  const isFinished = await within(timeoutMs, ended, () => null);
  if (isFinished !== null) return isFinished;
  running.kill("SIGKILL");
  // The kernel ends a process only when its disk has answered.
  return within(killedMs, ended, () => false);
}

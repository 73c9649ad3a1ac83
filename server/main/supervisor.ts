import type { ChildProcess } from "node:child_process";
import { Child, type Log } from "@/server/main/child";
import { counter, createFigures, gauge, type ProcessFigures } from "@/lib/platform/process/process-figures";
import { collectFigures } from "@/lib/platform/process/figures-channel";
import { watchHealth } from "@/server/main/health-watch";
import type { ToMain } from "@/lib/platform/process/messages";
import type { PortControl } from "@/server/main/held-ports";
import { ProcessGlobals } from "@/server/main/states";

export interface Programs {
  readonly vehicleWorker: (name: string) => ChildProcess;
  readonly console: () => ChildProcess;
  readonly database: (() => ChildProcess) | null;
}

export interface SupervisorOptions {
  readonly programs: Programs;
  readonly vehicleWorkers: number;
  readonly vehicleWorkerMemory: number;
  readonly ports: PortControl;
  readonly drainMs: number;
  readonly onReady: () => void;
  readonly onGiveUp: (problems: readonly string[]) => void;
  readonly log: Log;
}

/** Time to finish during a stop, in milliseconds. First requests, then writes, then files. */
const finishMs = { vehicleWorker: 8_500, console: 6_000, database: 4_000 };

/** Replacing a vehicle worker is pointless if it needs this memory right after its start. In milliseconds. */
const leastVehicleWorkerMs = 60_000;
/** Time for kept connections of a replaced vehicle worker to carry one more request, in milliseconds. */
const retireMs = 5_000;

const vehicleWorkersFirstMs = 2_000;

export class Supervisor {
  readonly #options: SupervisorOptions;
  readonly vehicleWorkers: readonly Child[];
  readonly console: Child;
  readonly database: Child | null;
  readonly #states: ProcessGlobals;
  readonly #figures: ProcessFigures;
  readonly #tried = new Set<Child>();
  #endWatch: (() => void) | null = null;
  #wasReady = false;
  #consoleSocket: string | null = null;
  #waitingStart: NodeJS.Timeout | null = null;

  constructor(options: SupervisorOptions) {
    this.#options = options;
    const { programs } = options;
    this.vehicleWorkers = Array.from({ length: options.vehicleWorkers }, (_, at) => {
      const name = `vehicle-worker-${at + 1}`;
      return this.#child(name, () => programs.vehicleWorker(name), true);
    });
    this.console = this.#child("console", programs.console, false);
    this.database = programs.database && this.#child("database", programs.database, false);
    this.#states = new ProcessGlobals(this);
    this.#figures = createMainFigures({
      restarts: () => Object.fromEntries(this.all.map(({ name, restarts }) => [name, restarts])),
      vehicleWorkersWanted: () => this.vehicleWorkers.length,
      vehicleWorkersRunning: () => this.vehicleWorkers.filter(({ isReady }) => isReady).length,
    });
  }

  get all(): readonly Child[] {
    return [...this.vehicleWorkers, ...(this.database ? [this.database] : []), this.console];
  }

  start(): void {
    for (const vehicleWorker of this.vehicleWorkers) vehicleWorker.start();
    // With everything starting at once, vehicle workers would need longer to load the policy on disk.
    this.#waitingStart = setTimeout(
      () => this.#startOthers(),
      this.vehicleWorkers.length === 0 ? 0 : vehicleWorkersFirstMs,
    );
    // First reads waiting messages, because `main` itself may have been blocked.
    const ticks = setInterval(() => setImmediate(() => this.#tick()), 1000);
    this.#options.ports.onPair(() => {
      for (const listener of this.#listeners) this.#options.ports.tellPair(listener);
    });
    const endHealth = watchHealth({
      socketPath: () => this.#consoleSocket,
      usableMs: () => (this.console.isReady ? this.console.usableMs : null),
      onSilence: (seconds) => this.console.kill(`it has not answered for ${seconds} s: restarting it`),
    });
    this.#endWatch = () => {
      clearInterval(ticks);
      endHealth();
    };
  }

  #tick(): void {
    if (this.#endWatch === null) return;
    for (const child of this.all) child.tick();
    this.#renewWorker();
  }

  /** Replaces a vehicle worker that is close to its memory limit, one at a time. */
  #renewWorker(): void {
    if (!this.vehicleWorkers.every(({ isReady, isBeingReplaced }) => isReady && !isBeingReplaced)) return;
    const { vehicleWorkerMemory, drainMs } = this.#options;
    const full = this.vehicleWorkers.find(
      ({ memory, readyMs }) => memory >= vehicleWorkerMemory && readyMs >= leastVehicleWorkerMs,
    );
    const mebibytes = Math.round((full?.memory ?? 0) / 1024 ** 2);
    full?.renew(
      `it takes ${mebibytes} MiB of memory: replacing it`,
      Math.max(drainMs, retireMs),
      finishMs.vehicleWorker,
    );
  }

  get #listeners(): readonly Child[] {
    return this.vehicleWorkers.length > 0 ? this.vehicleWorkers : [this.console];
  }

  #startOthers(): void {
    if (this.#waitingStart === null) return;
    this.#forgetOthers();
    this.database?.start();
    this.console.start();
  }

  #forgetOthers(): void {
    if (this.#waitingStart !== null) clearTimeout(this.#waitingStart);
    this.#waitingStart = null;
  }

  async stop(): Promise<boolean> {
    const { drainMs } = this.#options;
    this.#endWatching();
    this.#forgetOthers();
    for (const vehicleWorker of this.vehicleWorkers) vehicleWorker.tell({ kind: "drain" });
    if (drainMs > 0 && this.vehicleWorkers.some((vehicleWorker) => vehicleWorker.isReady))
      await new Promise((done) => setTimeout(done, drainMs));
    // Connections must not wait if nobody accepts them.
    this.#options.ports.close();
    const vehicleWorkers = await Promise.all(
      this.vehicleWorkers.map((vehicleWorker) => vehicleWorker.stop(finishMs.vehicleWorker)),
    );
    const others = [await this.console.stop(finishMs.console), (await this.database?.stop(finishMs.database)) ?? true];
    return [...vehicleWorkers, ...others].every(Boolean);
  }

  destroy(): void {
    this.#endWatching();
    this.#forgetOthers();
    for (const child of this.all) child.destroy();
  }

  #endWatching(): void {
    this.#endWatch?.();
    this.#endWatch = null;
  }

  async #sendFigures({ id, names }: Extract<ToMain, { readonly kind: "collect" }>): Promise<void> {
    const others = this.all.filter((child) => child !== this.console);
    const [main, figures] = await Promise.all([this.#figures.collect(names), collectFigures({ id, names }, others)]);
    this.console.tell({ kind: "collected", id, figures: { main, ...figures } });
  }

  #child(name: string, start: () => ChildProcess, mayOverlap: boolean): Child {
    const child: Child = new Child({
      name,
      start,
      mayOverlap,
      isDispensable: () => this.vehicleWorkers.some(({ isReady }) => isReady),
      onHello: () => {
        if (this.#listeners.includes(child)) this.#options.ports.tellAll(child);
        this.#states.greet(child);
      },
      onEnd: () => this.#states.leave(child),
      onMessage: (message) => this.#take(child, message),
      onGiveUp: this.#options.onGiveUp,
      log: this.#options.log,
    });
    return child;
  }

  #take(child: Child, message: ToMain): void {
    if (message.kind === "collect") void this.#sendFigures(message);
    this.#states.take(child, message);
    if (message.kind === "ready" && message.socket !== undefined) this.#consoleSocket = message.socket;
    // Without a policy on disk, vehicle workers must wait for the others.
    if (message.kind === "tried") this.#tried.add(child);
    if (this.vehicleWorkers.every((vehicleWorker) => vehicleWorker.isReady || this.#tried.has(vehicleWorker)))
      this.#startOthers();
    if (this.#wasReady || !this.console.isReady || !this.vehicleWorkers.every((vehicleWorker) => vehicleWorker.isReady))
      return;
    this.#wasReady = true;
    this.#options.onReady();
  }
}

export interface MainSources {
  readonly restarts: () => Readonly<Record<string, number>>;
  readonly vehicleWorkersWanted: () => number;
  readonly vehicleWorkersRunning: () => number;
}

export function createMainFigures({
  restarts,
  vehicleWorkersWanted,
  vehicleWorkersRunning,
}: MainSources): ProcessFigures {
  const figures = createFigures("main");
  figures.add(
    counter("policy_process_restarts_total", "Restarts of processes that had ended or did not answer", () =>
      Object.entries(restarts()).map(([of, value]) => ({ labels: { of }, value })),
    ),
    gauge("policy_vehicle_workers_wanted", "Vehicle workers configured", vehicleWorkersWanted),
    gauge("policy_vehicle_workers_running", "Vehicle workers that answer", vehicleWorkersRunning),
  );
  return figures;
}

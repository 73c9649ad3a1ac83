import type { Child } from "@/server/main/child";
import type { ToChild, ToMain } from "@/lib/platform/process/messages";

export interface Processes {
  readonly vehicleWorkers: readonly Child[];
  readonly console: Child;
}

/** Shares state between processes. Processes that start later get the current state. */
export class ProcessGlobals {
  readonly #processes: Processes;
  readonly #last = new Map<ToChild["kind"], ToChild>();
  readonly #serving = new Map<Child, number>();

  constructor(processes: Processes) {
    this.#processes = processes;
  }

  take(child: Child, message: ToMain): void {
    switch (message.kind) {
      case "serving":
        this.#serving.set(child, message.revision);
        this.#tellServed();
        break;
      case "confirmed":
        this.#keep(message, []);
        break;
      case "committed":
      case "writes":
      case "containers":
        this.#keep(message, this.#processes.vehicleWorkers);
        break;
      case "counts":
        this.#processes.console.tell(message);
        break;
      case "counted":
        for (const worker of this.#processes.vehicleWorkers) worker.tell(message);
        break;
      case "ready":
        if (message.address !== undefined) {
          this.#keep({ kind: "database", address: message.address, pid: message.pid }, [
            ...this.#processes.vehicleWorkers,
            this.#processes.console,
          ]);
        }
        if (message.socket !== undefined)
          this.#keep({ kind: "console", path: message.socket }, this.#processes.vehicleWorkers);
        break;
      default:
    }
  }

  greet(child: Child): void {
    const isConsole = child === this.#processes.console;
    // Packing again would give other bytes.
    const kinds: ToChild["kind"][] = isConsole
      ? ["database", "confirmed", "containers"]
      : ["database", "confirmed", "console", "committed", "writes", "containers"];
    for (const kind of kinds) {
      const message = this.#last.get(kind);
      if (message) child.tell(message);
    }
    if (isConsole) this.#tellServed();
    else this.leave(child);
  }

  leave(child: Child): void {
    if (this.#serving.delete(child)) this.#tellServed();
  }

  #keep(message: ToChild, receivers: readonly Child[]): void {
    this.#last.set(message.kind, message);
    for (const receiver of receivers) receiver.tell(message);
  }

  #tellServed(): void {
    const revisions = [...this.#serving.values()];
    this.#processes.console.tell({ kind: "served", revision: revisions.length === 0 ? null : Math.min(...revisions) });
  }
}

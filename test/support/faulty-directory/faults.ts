import type { Call } from "@/example-directory/answer";

export type FaultKind =
  /** A failure in the envelope; default: 500. */
  | { readonly kind: "status"; readonly status?: number; readonly message?: string }
  /** 200 with an HTML page. */
  | { readonly kind: "garbage" }
  /** 200 with the first half of the correct JSON, ended properly. */
  | { readonly kind: "truncated" }
  /** No response until `release()`. `stale`: the response is built at once, so it may be outdated when it is sent. */
  | { readonly kind: "hang"; readonly stale?: boolean }
  /** The correct response, this many milliseconds late; `stale` as above. */
  | { readonly kind: "slow"; readonly ms: number; readonly stale?: boolean }
  /** The first half of the correct response at once, the rest this many milliseconds later. */
  | { readonly kind: "stall"; readonly ms: number }
  /** Resets the connection without a response. */
  | { readonly kind: "reset" }
  /** Resets the connection after half of the correct response. */
  | { readonly kind: "cut" }
  /** 200 with JSON of a wrong shape, see `WrongShape`. */
  | { readonly kind: "shape"; readonly shape: WrongShape }
  /** 200 with the correct JSON and an additional member of this many bytes; default: 33 MiB. */
  | { readonly kind: "huge"; readonly bytes?: number };

/** No member `data`; an object for every list. */
export type WrongShape = "no-data" | "object-for-list";

/** Which calls a fault affects; undefined members match everything. */
export interface FaultScope {
  /** As in `Call`: `application`, `permission`, `application/approval/vendor`, … */
  readonly path?: string;
  readonly method?: string;
  readonly when?: (call: Call) => boolean;
  readonly times?: number;
}

interface ActiveFault {
  readonly fault: FaultKind;
  readonly scope: FaultScope;
  left: number;
}

export type HangEnd = "answer" | "drop";

export class ExampleFaults {
  #active: ActiveFault[] = [];
  readonly #hanging = new Set<(end: HangEnd) => void>();

  get hanging(): number {
    return this.#hanging.size;
  }

  /** If several match a call, the first one set applies; returns what removes it. */
  set({ path, method, when, times, ...fault }: FaultKind & FaultScope): () => void {
    const scope = {
      ...(path !== undefined && { path }),
      ...(method !== undefined && { method }),
      ...(when !== undefined && { when }),
    };
    const active: ActiveFault = { fault, scope, left: times ?? Infinity };
    this.#active.push(active);
    return () => {
      this.#active = this.#active.filter((other) => other !== active);
    };
  }

  /** Removes all faults. Hanging calls stay hanging. */
  clear(): void {
    this.#active = [];
  }

  release(end: HangEnd = "answer"): void {
    for (const finish of this.#hanging) finish(end);
    this.#hanging.clear();
  }

  take(call: Call): FaultKind | null {
    const active = this.#active.find(({ scope }) => concerns(scope, call));
    if (active === undefined) return null;
    if (--active.left <= 0) this.#active = this.#active.filter((other) => other !== active);
    return active.fault;
  }

  hang(signal: AbortSignal): Promise<HangEnd> {
    return new Promise((resolve) => {
      if (signal.aborted) {
        resolve("drop");
        return;
      }
      this.#hanging.add(resolve);
      signal.addEventListener("abort", () => {
        this.#hanging.delete(resolve);
        resolve("drop");
      });
    });
  }
}

function concerns({ path, method, when }: FaultScope, call: Call): boolean {
  return (
    (path === undefined || path === call.path) &&
    (method === undefined || method === call.method) &&
    (when === undefined || when(call))
  );
}

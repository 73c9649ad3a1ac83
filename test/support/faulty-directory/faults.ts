import type { Call } from "@/example-directory/answer";

/** What goes wrong with a call. */
export type FaultKind =
  /** A failure in the envelope; 500 unless another status is given. */
  | { readonly kind: "status"; readonly status?: number; readonly message?: string }
  /** 200 with a web page. */
  | { readonly kind: "garbage" }
  /** 200 with the first half of the right JSON, ended properly. */
  | { readonly kind: "truncated" }
  /** No answer until `release()`. `stale`: the answer is made at once, so that it may be out of date when it is sent. */
  | { readonly kind: "hang"; readonly stale?: boolean }
  /** The right answer, this many milliseconds late; `stale` as above. */
  | { readonly kind: "slow"; readonly ms: number; readonly stale?: boolean }
  /** The first half of the right answer at once, the rest this many milliseconds later. */
  | { readonly kind: "stall"; readonly ms: number }
  /** The connection is reset instead of an answer. */
  | { readonly kind: "reset" }
  /** The connection is reset after half of the right answer. */
  | { readonly kind: "cut" }
  /** 200 with JSON that is not what was asked for, see `WrongShape`. */
  | { readonly kind: "shape"; readonly shape: WrongShape }
  /** Every page is the first one. */
  | { readonly kind: "repeat" }
  /** 200 with the right JSON and a member of this many bytes in it; 33 MiB unless another size is given. */
  | { readonly kind: "huge"; readonly bytes?: number }
  /** Just this answer. */
  | {
      readonly kind: "answer";
      readonly status?: number;
      readonly body: string;
      readonly headers?: Readonly<Record<string, string>>;
    };

/** No member `data`; every list in it an object; `null`; a text; a list of wrong elements. */
export type WrongShape = "no-data" | "object-for-list" | "null" | "text" | "wrong-elements";

/** Which calls a fault concerns; what is left out does not matter. */
export interface FaultScope {
  /** As in `Call`: `application`, `permission`, `application/approval/vendor`, … */
  readonly path?: string;
  readonly method?: string;
  readonly when?: (call: Call) => boolean;
  /** How many calls it concerns until it is over. */
  readonly times?: number;
}

interface ActiveFault {
  readonly fault: FaultKind;
  readonly scope: FaultScope;
  left: number;
}

/** How hanging calls end: with the right answer, or with a reset connection. */
export type HangEnd = "answer" | "drop";

/** The faults of an example directory, set and taken back while it runs. */
export class ExampleFaults {
  #active: ActiveFault[] = [];
  readonly #hanging = new Set<(end: HangEnd) => void>();

  /** How many calls hang now. */
  get hanging(): number {
    return this.#hanging.size;
  }

  /**
   * Adds a fault. Of several that concern a call, the one that was set first happens.
   *
   * @returns takes it back
   */
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

  /** Takes all faults back. Calls that hang go on hanging. */
  clear(): void {
    this.#active = [];
  }

  /** Ends all calls that hang now. */
  release(end: HangEnd = "answer"): void {
    for (const finish of this.#hanging) finish(end);
    this.#hanging.clear();
  }

  /** The fault that happens to this call, counted as happened; null for none. */
  take(call: Call): FaultKind | null {
    const active = this.#active.find(({ scope }) => concerns(scope, call));
    if (active === undefined) return null;
    if (--active.left <= 0) this.#active = this.#active.filter((other) => other !== active);
    return active.fault;
  }

  /** Waits until `release()`, or until the caller gives up. */
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

import { AsyncLocalStorage } from "node:async_hooks";
import { processGlobal } from "@/lib/platform/process-globals";

/* What the server knows of traces (`docs/traces.md`). Without a collector everything returns at once. */

/** What a span says of itself: names and figures, never values that were sent or stored, and no secrets. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  /** Whose work it is: that of a request which came, of one which was sent, or neither. */
  readonly kind: "server" | "client" | "internal";
  readonly attributes?: Attributes;
  /** What it is a part of: another span, or the `traceparent` that came with a request. */
  readonly parent?: Span | string | null | undefined;
}

export interface Span {
  /** Names it to another process, in the form of W3C Trace Context. */
  readonly traceparent: string;
  readonly isOpen: boolean;
  set(attributes: Attributes): void;
  /** Once; what is set or ended later is ignored. */
  end(isFailed?: boolean): void;
}

export interface Tracer {
  begin(name: string, options: SpanOptions): Span;
  /** Delivers what there is and ends. */
  stop(): Promise<void>;
}

const state = processGlobal("traces", () => ({
  tracer: null as Tracer | null,
  watchesDatabase: false,
  current: new AsyncLocalStorage<Span>(),
}));

/** Sets the tracer, or none, and gives the previous one. `watchesDatabase`: database commands become spans too. */
export function replaceTracer(tracer: Tracer | null, watchesDatabase = false): Tracer | null {
  const before = state.tracer;
  state.tracer = tracer;
  state.watchesDatabase = watchesDatabase;
  return before;
}

/** Whether commands to the database are to be told to `traceCommands`. */
export const watchesDatabase = (): boolean => state.watchesDatabase;

/** For work that is done for a span alone. */
export const isTracing = (): boolean => state.tracer !== null;

/** Begins a span that its caller ends; null while there are no traces. */
export function beginSpan(name: string, options: SpanOptions): Span | null {
  return state.tracer === null ? null : state.tracer.begin(name, options);
}

/** The span of the work that is being done here, if it has one and has not ended. */
export function currentSpan(): Span | null {
  if (state.tracer === null) return null;
  const span = state.current.getStore();
  // What a request has set going may run on for long after its answer.
  return span?.isOpen === true ? span : null;
}

/** Does the work of a span: spans that begin within are parts of it. Its end is the caller's matter. */
export function within<T>(span: Span, work: () => T): T {
  return state.current.run(span, work);
}

/** Does some work as a span. A failure is marked by its name only: its text may hold anything. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, { parent: currentSpan(), ...options });
  if (span === null) return work(null);
  try {
    const result = await within(span, () => work(span));
    span.end();
    return result;
  } catch (error) {
    span.set({ "error.type": error instanceof Error ? error.name : typeof error });
    span.end(true);
    throw error;
  }
}

import { AsyncLocalStorage } from "node:async_hooks";
import { processGlobal } from "@/lib/platform/process-globals";
import type { IncomingMessage, ServerResponse } from "node:http";

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

export const watchesDatabase = (): boolean => state.watchesDatabase;

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

export interface RemoteParent {
  readonly traceId: string;
  readonly spanId: string;
  readonly traceFlags: number;
}

/** Version, trace, span and flags; a later version may say more behind them. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a `traceparent` (W3C Trace Context); null when it is none, as of somebody who sends what he likes. */
export function parseTraceparent(text: unknown): RemoteParent | null {
  const [, version = "", traceId = "", spanId = "", flags = "", more] = form.exec(String(text)) ?? [];
  if (traceId === "" || (version === "00" && more !== undefined)) return null;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1 };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: RemoteParent): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, "0")}`;
}

/** Runs a console request as a span (`docs/traces.md`), until its answer. `path`: without query; `route`: pattern. */
export function inRequestSpan<T>(
  request: IncomingMessage,
  response: ServerResponse,
  { path, route }: { readonly path: string; readonly route: () => string | null },
  work: () => T,
): T {
  if (!isTracing()) return work();
  const { method = "GET", headers } = request;
  const pattern = route();
  const span = beginSpan(pattern === null ? method : `${method} ${pattern}`, {
    kind: "server",
    parent: headers.traceparent?.toString(),
    attributes: {
      "http.request.method": method,
      "url.path": path,
      ...(pattern !== null && { "http.route": pattern }),
    },
  });
  if (span === null) return work();
  response.once("close", () => {
    span.set({ "http.response.status_code": response.statusCode });
    span.end(response.statusCode >= 500);
  });
  return within(span, work);
}

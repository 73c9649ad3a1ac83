"one per process";

import { AsyncLocalStorage } from "node:async_hooks";
import type { IncomingMessage, ServerResponse } from "node:http";

/* The server's interface for traces (`docs/traces.md`). Without a collector, all functions return at once. */

/** Attributes of a span: names and numbers, never secrets or values that were sent or stored. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

export interface SpanOptions {
  readonly kind: "server" | "client" | "internal";
  readonly attributes?: Attributes;
  readonly parent?: Span | string | null | undefined;
}

export interface Span {
  readonly traceparent: string;
  readonly isOpen: boolean;
  set(attributes: Attributes): void;
  end(isFailed?: boolean): void;
}

export interface Tracer {
  begin(name: string, options: SpanOptions): Span;
  stop(): Promise<void>;
}

const state = {
  tracer: null as Tracer | null,
  watchesDatabase: false,
  current: new AsyncLocalStorage<Span>(),
};

export function replaceTracer(tracer: Tracer | null, watchesDatabase = false): Tracer | null {
  const before = state.tracer;
  state.tracer = tracer;
  state.watchesDatabase = watchesDatabase;
  return before;
}

export const watchesDatabase = (): boolean => state.watchesDatabase;

export const isTracing = (): boolean => state.tracer !== null;

export function beginSpan(name: string, options: SpanOptions): Span | null {
  return state.tracer === null ? null : state.tracer.begin(name, options);
}

export function currentSpan(): Span | null {
  if (state.tracer === null) return null;
  const span = state.current.getStore();
  // Work started by a request may continue long after its response.
  return span?.isOpen === true ? span : null;
}

export function withinSpan<T>(span: Span, work: () => T): T {
  return state.current.run(span, work);
}

/** Runs `work` as a span. Records only the name of an error, because its message may contain anything. */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span: Span | null) => Promise<T>,
): Promise<T> {
  const span = beginSpan(name, { parent: currentSpan(), ...options });
  if (span === null) return work(null);
  try {
    const result = await withinSpan(span, () => work(span));
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

/** Version, trace, span and flags. Later versions may append more. */
const form = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Parses a `traceparent` (W3C Trace Context); null if invalid, because clients may send anything. */
export function parseTraceparent(text: unknown): RemoteParent | null {
  const [, version = "", traceId = "", spanId = "", flags = "", more] = form.exec(String(text)) ?? [];
  if (traceId === "" || (version === "00" && more !== undefined)) return null;
  return { traceId, spanId, traceFlags: parseInt(flags, 16) & 1 };
}

export function formatTraceparent({ traceId, spanId, traceFlags }: RemoteParent): string {
  return `00-${traceId}-${spanId}-${(traceFlags & 1).toString(16).padStart(2, "0")}`;
}

/** Runs a console request as a span (`docs/traces.md`), until its response. `path`: without query; `route`: pattern. */
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
  return withinSpan(span, work);
}

import {
  type Context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer as SdkTracer,
} from "@opentelemetry/api";
import { OTLPTraceExporter } from "@opentelemetry/exporter-trace-otlp-http";
import { resourceFromAttributes } from "@opentelemetry/resources";
import {
  AlwaysOnSampler,
  BasicTracerProvider,
  BatchSpanProcessor,
  ParentBasedSampler,
  type SpanExporter,
} from "@opentelemetry/sdk-trace-base";
import { OutgoingHttpAgent, OutgoingHttpsAgent } from "@/lib/platform/http/outgoing-agent";
import {
  type Attributes,
  formatTraceparent,
  parseTraceparent,
  type Span,
  type SpanOptions,
  type Tracer,
} from "@/lib/platform/traces/traces";
import { findFailureCode } from "@/lib/platform/errors";
import { withoutEndSlashes } from "@/lib/platform/http/api-path";

/* The only file that loads OpenTelemetry. Not registered globally: Next would add spans with queries. */

export interface SdkOptions {
  /** The collector's address without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly resource: Attributes;
  readonly log: DeliveryLog;
}

const maxWaiting = 2_048;
const deliveryMs = 10_000;
const collectMs = 5_000;
const longestAttribute = 200;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

export function createSdkTracer({ endpoint, headers, resource, log }: SdkOptions): Tracer {
  const url = `${withoutEndSlashes(endpoint)}/v1/traces`;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: deliveryMs,
    httpAgentOptions: createAgent,
  });
  const processor = new BatchSpanProcessor(reportDelivery(exporter, log), {
    maxQueueSize: maxWaiting,
    maxExportBatchSize: 512,
    scheduledDelayMillis: collectMs,
    exportTimeoutMillis: deliveryMs,
  });
  const provider = new BasicTracerProvider({
    resource: resourceFromAttributes(resource),
    sampler: new ParentBasedSampler({ root: new AlwaysOnSampler() }),
    spanLimits: { attributeValueLengthLimit: longestAttribute },
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer("open-policy-server");
  return { begin: (name, options) => new SdkSpan(tracer, name, options), stop: () => provider.shutdown() };
}

const createAgent = (protocol: string) =>
  protocol === "https:" ? new OutgoingHttpsAgent({ keepAlive: true }) : new OutgoingHttpAgent({ keepAlive: true });

class SdkSpan implements Span {
  readonly traceparent: string;
  readonly context: Context;
  isOpen = true;
  readonly #span;

  constructor(tracer: SdkTracer, name: string, { kind, attributes = {}, parent = null }: SpanOptions) {
    const above = contextOf(parent);
    this.#span = tracer.startSpan(name, { kind: kinds[kind], attributes: { ...attributes } }, above);
    this.context = trace.setSpan(above, this.#span);
    this.traceparent = formatTraceparent(this.#span.spanContext());
  }

  set(attributes: Attributes): void {
    if (this.isOpen) this.#span.setAttributes({ ...attributes });
  }

  end(isFailed = false): void {
    if (!this.isOpen) return;
    this.isOpen = false;
    if (isFailed) this.#span.setStatus({ code: SpanStatusCode.ERROR });
    this.#span.end();
  }
}

function contextOf(parent: Span | string | null): Context {
  if (parent instanceof SdkSpan) return parent.context;
  const remote = parseTraceparent(parent);
  return remote === null ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, { ...remote, isRemote: true });
}

export interface DeliveryLog {
  info(message: string): void;
  warn(details: object, message: string): void;
}

/** `ExportResultCode.SUCCESS`, without loading its package. */
const success = 0;

const lineEveryMs = 60_000;

/** Logs when exports fail or work again, at most once a minute, by error code: messages may quote secrets. */
export function reportDelivery(exporter: SpanExporter, log: DeliveryLog, now = () => performance.now()): SpanExporter {
  let isTold = false;
  let toldAt = -Infinity;
  const tell = ({ code, error }: { readonly code: number; readonly error?: unknown }) => {
    const hasFailed = code !== success;
    if (hasFailed === isTold || now() - toldAt < lineEveryMs) return;
    isTold = hasFailed;
    toldAt = now();
    if (hasFailed) {
      log.warn(
        { code: codeOf(error) },
        "cannot deliver traces to OTEL_EXPORTER_OTLP_ENDPOINT; dropping them until it works again",
      );
    } else log.info("traces are delivered again");
  };
  return {
    export: (spans, done) =>
      exporter.export(spans, (result) => {
        tell(result);
        done(result);
      }),
    shutdown: () => exporter.shutdown(),
    forceFlush: async () => exporter.forceFlush?.(),
  };
}

function codeOf(error: unknown): string | number {
  if (error instanceof Error && "code" in error && typeof error.code === "number") return error.code;
  return findFailureCode(error);
}

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
} from "@opentelemetry/sdk-trace-base";
import { OutgoingHttpAgent, OutgoingHttpsAgent } from "@/lib/platform/http/outgoing-agent";
import { type DeliveryLog, tellOfDelivery } from "@/lib/platform/traces/delivery";
import { formatTraceparent, parseTraceparent } from "@/lib/platform/traces/traceparent";
import type { Attributes, Span, SpanOptions, Tracer } from "@/lib/platform/traces/traces";

/* The only file that loads OpenTelemetry. Nothing is global: the framework would add spans with queries. */

export interface SdkOptions {
  /** The collector's address without `/v1/traces`. */
  readonly endpoint: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Who makes the spans: `service.name` and so on. */
  readonly resource: Attributes;
  readonly log: DeliveryLog;
  /** How long spans are collected before they are delivered, in milliseconds; 5 s when not given. */
  readonly delayMs?: number;
}

/** Spans that wait for their delivery; more of them are dropped. */
const maxWaiting = 2_048;
/** Time for one delivery with its repetitions, in milliseconds. */
const deliveryMs = 10_000;
const longestAttribute = 200;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** Makes what makes spans and delivers them to a collector as OTLP, JSON over HTTP. */
export function createSdkTracer({ endpoint, headers, resource, log, delayMs = 5_000 }: SdkOptions): Tracer {
  const url = `${endpoint.replace(/\/+$/, "")}/v1/traces`;
  const exporter = new OTLPTraceExporter({
    url,
    headers: { ...headers },
    timeoutMillis: deliveryMs,
    httpAgentOptions: createAgent,
  });
  const processor = new BatchSpanProcessor(tellOfDelivery(exporter, log), {
    maxQueueSize: maxWaiting,
    maxExportBatchSize: 512,
    scheduledDelayMillis: delayMs,
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

import type { Attributes } from "@/lib/platform/traces/traces";
import { startTraces, stopTraces } from "@/lib/platform/traces/start";
import { replaceTracer } from "@/lib/platform/traces/traces";
import { onTestFinished } from "vitest";
import { serveHttp } from "./http-stub";

export interface DeliveredSpan {
  readonly name: string;
  /** 1 internal, 2 server, 3 client. */
  readonly kind: number;
  readonly traceId: string;
  readonly spanId: string;
  readonly parentSpanId: string | undefined;
  readonly attributes: Attributes;
  /** 2: failed. */
  readonly status: { readonly code: number };
  /** In milliseconds. */
  readonly duration: number;
  readonly resource: Attributes;
}

interface KeyValue {
  readonly key: string;
  readonly value: { readonly stringValue?: string; readonly intValue?: number | string; readonly boolValue?: boolean };
}

const readAttributes = (list: readonly KeyValue[] = []): Attributes =>
  Object.fromEntries(
    list.map(({ key, value }) => [key, value.stringValue ?? value.boolValue ?? Number(value.intValue)]),
  );

export function readSpans(body: string): DeliveredSpan[] {
  return JSON.parse(body).resourceSpans.flatMap((one: any) =>
    one.scopeSpans.flatMap(({ spans }: any) =>
      spans.map((span: any) => ({
        ...span,
        attributes: readAttributes(span.attributes),
        resource: readAttributes(one.resource.attributes),
        duration: Number(BigInt(span.endTimeUnixNano) - BigInt(span.startTimeUnixNano)) / 1e6,
      })),
    ),
  );
}

/** Test files that use it call `endStubs` at their top. */
export async function collectTraces({ watchesDatabase = false, headers = {} } = {}) {
  const collector = await serveHttp(() => ({ body: {} }));
  const settings = {
    otelExporterOtlpEndpoint: collector.url,
    otelExporterOtlpHeaders: headers,
  };
  await startTraces(settings, "console", { watchesDatabase });
  onTestFinished(() => {
    replaceTracer(null);
  });
  return {
    ...collector,
    text: () => collector.seen.map(({ body }) => body).join("\n"),
    spans: async (): Promise<DeliveredSpan[]> => {
      await stopTraces(60_000);
      return collector.seen.flatMap(({ body }) => readSpans(body));
    },
  };
}

export function spanNamed(spans: readonly DeliveredSpan[], name: string): DeliveredSpan {
  const [found, ...more] = spans.filter((span) => span.name === name);
  if (found === undefined || more.length > 0) {
    throw new Error(
      `${more.length + (found ? 1 : 0)} spans are named ${name}: ${spans.map((one) => one.name).join(", ")}`,
    );
  }
  return found;
}

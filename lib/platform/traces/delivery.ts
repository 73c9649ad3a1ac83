import type { SpanExporter } from "@opentelemetry/sdk-trace-base";
import { findFailureCode } from "@/lib/platform/http/failure-code";

export interface DeliveryLog {
  info(message: string): void;
  warn(details: object, message: string): void;
}

/** `ExportResultCode.SUCCESS`, whose package is not loaded for it. */
const success = 0;

/** A collector that comes and goes is not worth a line each time, in milliseconds. */
const lineEveryMs = 60_000;

/**
 * Logs when traces cannot be delivered and when they can again, at most once a minute. Only the exporter's code is
 * logged: its texts may quote the collector.
 */
export function tellOfDelivery(exporter: SpanExporter, log: DeliveryLog, now = () => performance.now()): SpanExporter {
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

/** The status of an answer, or what kept one from coming. */
function codeOf(error: unknown): string | number {
  if (error instanceof Error && "code" in error && typeof error.code === "number") return error.code;
  return findFailureCode(error);
}

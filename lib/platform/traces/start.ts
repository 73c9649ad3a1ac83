import { hostname } from "node:os";
import { findFailureCode } from "@/lib/platform/errors";
import { log } from "@/lib/platform/log";
import type { Settings } from "@/lib/platform/settings";
import { replaceTracer } from "@/lib/platform/traces/traces";
import { packageVersion } from "@/lib/platform/version";
import { within } from "@/lib/platform/async";

/** Loads OpenTelemetry if there is a collector. Never rejects. `watchesDatabase` lets the driver copy replies. */
export async function startTraces(
  settings: Pick<Settings, "otelExporterOtlpEndpoint" | "otelExporterOtlpHeaders">,
  processName: string,
  { watchesDatabase = false } = {},
): Promise<void> {
  const { otelExporterOtlpEndpoint: endpoint, otelExporterOtlpHeaders: headers } = settings;
  if (endpoint === null) return;
  try {
    const { createSdkTracer } = await import("@/lib/platform/traces/sdk");
    const resource = {
      "service.name": "open-policy-server",
      "service.version": packageVersion,
      "service.instance.id": `${hostname()}/${processName}`,
      "process.pid": process.pid,
    };
    replaceTracer(createSdkTracer({ endpoint, headers, resource, log }), watchesDatabase);
  } catch (error) {
    log.warn({ code: findFailureCode(error) }, "OpenTelemetry cannot be loaded: there are no traces");
  }
}

export async function stopTraces(maxMs = 1_000): Promise<void> {
  const tracer = replaceTracer(null);
  if (tracer === null) return;
  await within(maxMs, tracer.stop(), () => undefined).catch(() => undefined);
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { pathOf } from "@/lib/platform/http/api-path";
import type { VehicleAnswer } from "@/lib/policy/answer/answer-vehicle";
import type { Environment } from "@/lib/vocabulary/terms";
import type { Settings } from "@/lib/platform/settings";
import { beginSpan, parseTraceparent, type Span } from "@/lib/platform/traces/traces";

/** Spans of a vehicle worker, for a random share of its requests, chosen before any work for them (`docs/traces.md`). */
export class VehicleWorkerTraces {
  readonly #vehicles: Share;
  readonly #passed: Share;

  constructor(share: number) {
    this.#vehicles = new Share(share);
    this.#passed = new Share(share);
  }

  /** Starts the span of a vehicle request; null for most. Ignores trace headers of vehicles. */
  ofVehicle(environment: Environment, method: string | undefined): Span | null {
    if (!this.#vehicles.take()) return null;
    const route = `/api/v1/${environment}/policy`;
    return beginSpan(`${nameOf(method)} ${route}`, {
      kind: "server",
      attributes: { "http.request.method": nameOf(method), "http.route": route, "policy.environment": environment },
    });
  }

  /** Starts the span of a forwarded request: if its client traces it, and for a share of the others. */
  ofPassedOn(request: Pick<IncomingMessage, "method" | "url" | "headers">): Span | null {
    const { traceparent } = request.headers;
    const parent = traceparent === undefined ? null : parseTraceparent(traceparent);
    if (parent === null ? !this.#passed.take() : parent.traceFlags === 0) return null;
    return beginSpan(`pass on ${nameOf(request.method)}`, {
      kind: "server",
      parent: parent === null ? null : String(traceparent),
      attributes: { "http.request.method": nameOf(request.method), "url.path": pathOf(request) },
    });
  }
}

export function endVehicleSpan(
  span: Span,
  { status, requestId, length, apps }: Pick<VehicleAnswer, "status" | "requestId" | "length" | "apps">,
): void {
  span.set({
    "http.response.status_code": status,
    "http.response.body.size": length,
    "policy.request_id": requestId,
    ...(apps !== null && { "policy.apps": apps }),
  });
  span.end(status >= 500);
}

export function endPassedOn(
  span: Span,
  {
    headersSent,
    statusCode,
    writableFinished,
  }: Pick<ServerResponse, "headersSent" | "statusCode" | "writableFinished">,
): void {
  span.set({
    ...(headersSent && { "http.response.status_code": statusCode }),
    "policy.is_complete": writableFinished,
  });
  span.end(headersSent && statusCode >= 500);
}

const usualShare = 0.001;

/** With `LOG_LEVEL=debug`, each request is traced. */
export function createVehicleWorkerTraces(
  settings: Pick<Settings, "otelExporterOtlpEndpoint" | "logLevel">,
): VehicleWorkerTraces | null {
  if (settings.otelExporterOtlpEndpoint === null) return null;
  return new VehicleWorkerTraces(settings.logLevel === "debug" ? 1 : usualShare);
}

const nameOf = (method = "GET") => method;

export class Share {
  readonly #share: number;
  readonly #random: () => number;
  #left: number;

  constructor(share: number, random: () => number = Math.random) {
    this.#share = share;
    this.#random = random;
    this.#left = this.#draw();
  }

  take(): boolean {
    if (--this.#left > 0) return false;
    this.#left = this.#draw();
    return true;
  }

  /** Distance to the next selection, distributed as if each call were drawn separately. */
  #draw(): number {
    if (this.#share >= 1) return 1;
    if (this.#share <= 0) return Infinity;
    return 1 + Math.floor(Math.log(1 - this.#random()) / Math.log(1 - this.#share));
  }
}

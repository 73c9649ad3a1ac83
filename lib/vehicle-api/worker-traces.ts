import type { IncomingMessage, ServerResponse } from "node:http";
import { pathOf } from "@/lib/platform/http/api-path";
import type { VehicleAnswer } from "@/lib/policy/answer/answer-vehicle";
import type { Environment } from "@/lib/labels/vocabulary";
import type { Settings } from "@/lib/platform/settings";
import { beginSpan, parseTraceparent, type Span } from "@/lib/platform/traces/traces";

/** The spans of a vehicle worker: of a share of its requests, chosen before anything is done for them (`docs/traces.md`). */
export class VehicleWorkerTraces {
  readonly #vehicles: Share;
  readonly #passed: Share;

  /** @param share of the requests, from 0 to 1 */
  constructor(share: number) {
    this.#vehicles = new Share(share);
    this.#passed = new Share(share);
  }

  /** Begins the span of a vehicle's request; null for most. What vehicles say of traces is not looked at. */
  ofVehicle(environment: Environment, method: string | undefined): Span | null {
    if (!this.#vehicles.take()) return null;
    const route = `/api/v1/${environment}/policy`;
    return beginSpan(`${nameOf(method)} ${route}`, {
      kind: "server",
      attributes: { "http.request.method": nameOf(method), "http.route": route, "policy.environment": environment },
    });
  }

  /** Begins the span of a request that is passed on: if its client has a trace, and for a share of the others. */
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

/** Ends the span of a vehicle's request with what is known of its answer; apps are counted, not named. */
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

/** Ends the span of a request that was passed on. A client that left before an answer got no status. */
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

export function createVehicleWorkerTraces(
  settings: Pick<Settings, "otelExporterOtlpEndpoint" | "otelTracesSamplerArg">,
): VehicleWorkerTraces | null {
  return settings.otelExporterOtlpEndpoint === null ? null : new VehicleWorkerTraces(settings.otelTracesSamplerArg);
}

const nameOf = (method = "GET") => method;

/** Chooses a share of what comes by, at random. What is not chosen costs one comparison. */
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

  /** How far away the next one is: as far as if each had been drawn by itself. */
  #draw(): number {
    if (this.#share >= 1) return 1;
    if (this.#share <= 0) return Infinity;
    return 1 + Math.floor(Math.log(1 - this.#random()) / Math.log(1 - this.#share));
  }
}

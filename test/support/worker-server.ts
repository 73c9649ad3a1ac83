import { createServer, request, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http";
import { buffer } from "node:stream/consumers";
import { expect } from "vitest";
import type { VehicleEvent } from "@/lib/policy/answer/answer-vehicle";
import type { CompiledPolicy } from "@/lib/policy/table/compiled-policy";
import { policyRouteOf, VehicleWorker, type VehicleWorkerOptions } from "@/lib/vehicle-api/worker";
import type { Environment } from "@/lib/vocabulary/terms";
import { compiled } from "./answers";
import { listenToEnd } from "./listen";
import { workedExample, workedRequest } from "./worked-example";
export { patiently as timeout } from "@/test/support/patience.mjs";

export const body = JSON.stringify(workedRequest);
export const route = "/api/v1/production/policy";
/** Ends a hang, judges nothing. */
export async function startVehicleWorker(options: Partial<VehicleWorkerOptions> = {}) {
  const events: VehicleEvent[] = [];
  const vehicleWorker = new VehicleWorker({
    policy: () => null,
    hooks: {},
    headers: { "X-Content-Type-Options": "nosniff" },
    observe: (event) => events.push(event),
    ...options,
  });
  const server = createServer((incoming, response) => {
    const environment = policyRouteOf(incoming);
    if (environment) vehicleWorker.handle(incoming, response, environment);
    else response.writeHead(404).end();
  });
  const port = await listenToEnd(server);
  return { vehicleWorker, server, events, port, url: `http://127.0.0.1:${port}` };
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

/** One request on its own connection; the response body stays encoded. */
export function send(
  url: string,
  {
    method = "POST",
    headers = {},
    body,
  }: { method?: string; headers?: OutgoingHttpHeaders; body?: string | Buffer } = {},
): Promise<HttpAnswer> {
  return new Promise((resolve, reject) => {
    const outgoing = request(url, { method, headers, agent: false }, (response) => {
      buffer(response).then(
        (answered) => resolve({ status: response.statusCode ?? 0, headers: response.headers, body: answered }),
        reject,
      );
    });
    outgoing.on("error", reject);
    outgoing.end(body);
  });
}

export function jsonOf({ body }: HttpAnswer): any {
  return JSON.parse(body.toString());
}

let worked: Promise<Record<Environment, CompiledPolicy>> | null = null;

export function workedPolicies() {
  worked ??= Promise.all([compiled(workedExample, "staging"), compiled(workedExample, "production")]).then(
    ([staging, production]) => ({ staging, production }),
  );
  return worked;
}

export async function serveWorkedExample(options: Partial<VehicleWorkerOptions> = {}) {
  const policies = await workedPolicies();
  return startVehicleWorker({ policy: (environment) => policies[environment], ...options });
}

export const anyUuid = expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);

/** Expects the error envelope of the policy routes (`api.md` 9.1) and nothing else. */
export function expectError(answer: HttpAnswer, status: number, message: string): void {
  expect(answer.status).toBe(status);
  expect(jsonOf(answer)).toEqual({ error: message, meta: { request_id: anyUuid, code: status, message }, data: {} });
  expect(answer.headers["access-control-allow-origin"]).toBe("*");
  expect(answer.headers["content-type"]).toBe("application/json; charset=utf-8");
}

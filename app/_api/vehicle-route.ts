import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/platform/errors";
import { readBytes } from "@/lib/platform/http/read/read-body";
import { methods, type RouteHandler } from "@/app/_api/api-route";
import { withFacts } from "@/app/_api/route-facts";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";
import { policyAnswer } from "@/lib/policy/answer/answer-schema";
import { refuse, type VehicleAnswer } from "@/lib/policy/answer/answer-vehicle";
import { policyRequestBody } from "@/lib/policy/answer/schema";
import type { Environment } from "@/lib/vocabulary/terms";
import { findServices, type Services } from "@/lib/policy/services";

/** Answers compressed bodies, and all vehicles if Next runs alone, with a worker's bytes (`processes.md` N14). */
export function vehicleRoute(environment: Environment) {
  const POST: RouteHandler = async (request) => {
    const services = findServices();
    // Without services it cannot be counted either.
    if (!services) return toResponse(refuse(randomUUID(), 503, "Service unavailable", 5));
    const start = performance.now();
    const answer = await answerWith(services, request, environment);
    const { status, requestId, length, repair, cause } = answer;
    const milliseconds = performance.now() - start;
    services.observeVehicle({
      environment,
      method: request.method,
      status,
      requestId,
      milliseconds,
      bytes: length,
      repair,
      cause,
    });
    return toResponse(answer);
  };
  const facts = {
    summary: `Answers a head unit's shortened table with the full ${environment} table`,
    needs: "public",
    input: { body: policyRequestBody },
    answer: policyAnswer,
    errorMember: true,
  } as const;
  return methods({ POST: withFacts(POST, facts) }, { cors: "preflight" });
}

async function answerWith(services: Services, request: Request, environment: Environment): Promise<VehicleAnswer> {
  try {
    const body = await readBytes(request);
    // Never compressed: Next drops Content-Encoding from the responses of route handlers.
    return await services.answerVehicle(environment, body, request.headers.get("content-type") ?? undefined);
  } catch (error) {
    return error instanceof AppError
      ? refuse(randomUUID(), error.status, error.message)
      : refuse(randomUUID(), 500, "Internal server error", null, error);
  }
}

function toResponse({ status, buffers, length, retryAfter }: VehicleAnswer): Response {
  return new Response(Buffer.concat(buffers, length), {
    status,
    headers: {
      ...buildSharedHeaders(),
      "Content-Type": "application/json; charset=utf-8",
      Vary: "Accept-Encoding",
      // Same as in the vehicle worker: a table may contain the head units' private key.
      "Cache-Control": "no-store",
      ...(retryAfter === null ? {} : { "Retry-After": String(retryAfter) }),
    },
  });
}

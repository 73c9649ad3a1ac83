import { randomUUID } from "node:crypto";
import { isAppError } from "@/lib/errors";
import { methods } from "@/lib/http/methods";
import { readBytes } from "@/lib/http/read-body";
import type { RouteHandler } from "@/lib/http/route";
import { withFacts } from "@/lib/http/route-facts";
import { buildSharedHeaders } from "@/lib/http/shared-headers";
import { policyAnswer } from "@/lib/policy/answer-schema";
import { refuse, type VehicleAnswer } from "@/lib/policy/answer-vehicle";
import { policyRequestBody } from "@/lib/policy/schema";
import type { Environment } from "@/lib/policy/vocabulary";
import { findServices } from "@/lib/server/services";

/**
 * The handlers of a policy route for hosts that do not run `server/lane.ts`, which answers vehicles before Next sees them.
 * The answer comes from the same function; it is the same to the byte, but always sent as it is.
 */
export function vehicleRoute(environment: Environment) {
  const POST: RouteHandler = async (request) => toResponse(await answer(request, environment));
  const facts = {
    summary: `Answers a head unit's shortened table with the full ${environment} table`,
    auth: "public",
    input: { body: policyRequestBody },
    answer: policyAnswer,
    errorMember: true,
  } as const;
  return methods({ POST: withFacts(POST, facts) }, { cors: "preflight" });
}

async function answer(request: Request, environment: Environment): Promise<VehicleAnswer> {
  const services = findServices();
  if (!services) return refuse(randomUUID(), 503, "Service unavailable", 5);
  try {
    const body = await readBytes(request);
    // Never compressed: Next leaves Content-Encoding out of what a route handler answers.
    return await services.lane.answer(environment, body, { "content-type": request.headers.get("content-type") ?? "" });
  } catch (error) {
    return isAppError(error)
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
      // As the vehicle lane says it: a table may hold the private key of head units.
      "Cache-Control": "no-store",
      ...(retryAfter === null ? {} : { "Retry-After": String(retryAfter) }),
    },
  });
}

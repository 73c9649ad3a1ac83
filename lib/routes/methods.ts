import { AppError } from "@/lib/platform/errors";
import { answerRequest } from "@/lib/routes/answer-request";
import { buildPreflightHeaders, type Cors, corsHeaders } from "@/lib/platform/http/headers/cors";
import type { RouteHandler } from "@/lib/routes/route";
import { factsOf, withFacts } from "@/lib/routes/route-facts";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";

/** The methods a path may define. `HEAD` follows from `GET`, `OPTIONS` from the path's CORS rule. */
type Definable = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof allMethods)[number];

/** Completes a path's handlers to all methods: others get 405 (`api.md` 0.1). `options.cors`: nothing by default. */
export function methods(
  handlers: Readonly<Partial<Record<Definable, RouteHandler>>>,
  { cors }: { readonly cors?: Cors } = {},
): Readonly<Record<Method, RouteHandler>> {
  const defined: Partial<Record<Method, RouteHandler>> = { ...handlers };
  if (handlers.GET) defined.HEAD = withoutBody(handlers.GET);
  if (cors === "preflight") defined.OPTIONS = answerPreflight;
  const refuse = refuseMethod(allMethods.filter((method) => defined[method] !== undefined).join(", "));
  const handlerOf = (method: Method): RouteHandler => {
    const handler = defined[method] ?? refuse;
    // Without "preflight" an OPTIONS answer carries no CORS header, whatever the path allows (`api.md` 0.7).
    return cors === undefined || method === "OPTIONS" ? handler : withCors(handler, cors);
  };
  return {
    GET: handlerOf("GET"),
    HEAD: handlerOf("HEAD"),
    POST: handlerOf("POST"),
    PUT: handlerOf("PUT"),
    PATCH: handlerOf("PATCH"),
    DELETE: handlerOf("DELETE"),
    OPTIONS: handlerOf("OPTIONS"),
  };
}

/** Answers every method of a path that does not exist with 404 in the envelope. */
export const unknownPath: Readonly<Record<Method, RouteHandler>> = (() => {
  const refuse: RouteHandler = (request) =>
    answerRequest(request, {}, () => {
      throw new AppError("notFound");
    });
  const HEAD = withoutBody(refuse);
  return { GET: refuse, HEAD, POST: refuse, PUT: refuse, PATCH: refuse, DELETE: refuse, OPTIONS: refuse };
})();

function refuseMethod(allow: string): RouteHandler {
  return (request) =>
    answerRequest(request, {}, () => {
      throw new AppError("methodNotAllowed", undefined, { headers: { Allow: allow } });
    });
}

function withoutBody(handler: RouteHandler): RouteHandler {
  return async (request, context) => {
    const { status, headers } = await handler(request, context);
    return new Response(null, { status, headers });
  };
}

function withCors(handler: RouteHandler, cors: Cors): RouteHandler {
  const open: RouteHandler = async (request, context) => {
    const response = await handler(request, context);
    for (const [name, value] of Object.entries(corsHeaders)) response.headers.set(name, value);
    return response;
  };
  const facts = factsOf(handler);
  return facts === null ? open : withFacts(open, { ...facts, cors });
}

const answerPreflight: RouteHandler = (request) =>
  Promise.resolve(
    new Response(null, {
      status: 204,
      headers: {
        ...buildSharedHeaders(),
        ...buildPreflightHeaders(request.headers.get("access-control-request-headers")),
      },
    }),
  );

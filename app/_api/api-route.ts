import type { z } from "zod";
import { requireRole } from "@/lib/platform/auth/callers/require-role";
import type { Principal } from "@/lib/platform/auth/principal";
import { renewSessionCookie } from "@/lib/platform/auth/session-cookie";
import { isWrite, requireVisitor } from "@/lib/platform/auth/request-guard";
import { requireWebhookKey } from "@/lib/apps/directory/client/require-webhook-key";
import { whileReachable } from "@/lib/platform/db/connection/reachable";
import type { WriteContext } from "@/lib/platform/db/transaction";
import { AppError } from "@/lib/platform/errors";
import { buildPreflightHeaders, type Cors, corsHeaders } from "@/lib/platform/http/headers/cors";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";
import { type Call, answerRequest } from "@/app/_api/answer-request";
import { parseInput } from "@/lib/platform/http/read/parse-input";
import { readBody } from "@/lib/platform/http/read/read-body";
import { factsOf, needOf, type Needs, type RouteFacts, withFacts } from "@/app/_api/route-facts";
import { policyStatus } from "@/lib/policy/status";
import { repeatableNames } from "@/lib/platform/zod/query";

/** A handler as called by Next. Tests may omit `context` for a route without path parameters. */
export type RouteHandler = (request: Request, context?: { readonly params: Promise<unknown> }) => Promise<Response>;

type OutputOf<T> = T extends z.ZodType ? z.output<T> : undefined;

export interface RouteOptions<P, Q, B> extends Partial<Omit<RouteFacts, "needs" | "input" | "cors">> {
  readonly needs: Needs;
  readonly input?: { readonly params?: P; readonly query?: Q; readonly body?: B };
  /** Maximum size of a decoded body in bytes; default: 1 MiB, which is also the maximum size before decoding. */
  readonly maxBodyBytes?: number;
  /** Replaces invalid UTF-8 in the body instead of refusing it (`phones.md` Q1). */
  readonly anyBytes?: boolean;
  readonly keptIn?: string;
  readonly handle: (call: HandlerCall<P, Q, B>) => unknown;
}

export interface HandlerCall<P, Q, B> extends Call {
  readonly input: { readonly params: OutputOf<P>; readonly query: OutputOf<Q>; readonly body: OutputOf<B> };
  readonly writer: WriteContext;
  readonly principal: Principal | null;
}

/**
 * Creates a method's handler, in the only supported way: request id, authorization, readiness, body, schemas, `handle`,
 * envelope. Errors become responses (`api.md` 0.5). Reads return 503 soon after the database becomes unreachable.
 */
export function route<
  P extends z.ZodType | undefined = undefined,
  Q extends z.ZodType | undefined = undefined,
  B extends z.ZodType | undefined = undefined,
>({ needs, input = {}, maxBodyBytes, keptIn, anyBytes, handle, ...facts }: RouteOptions<P, Q, B>): RouteHandler {
  const answerCall: RouteHandler = (request, context) =>
    answerRequest(request, { errorMember: facts.errorMember }, async (call) => {
      const principal = await authorise(needs, request, call.identify);
      if (!facts.beforeReady) requireReady();
      const isRead = !isWrite(request.method);
      if (principal?.proof === "session" && !isRead) await renewSession(request.headers, call.responseHeaders);
      const body = isRead
        ? {}
        : await readBody(request, { schema: input.body, maxBytes: maxBodyBytes, keptIn, anyBytes });
      const answered = (async () =>
        handle({
          ...call,
          input: {
            params: parse(input.params, await context?.params),
            query: parse(input.query, readQuery(request, input.query)),
            body: parse(input.body, body),
          },
          writer: {
            // Events of earlier versions have "admin" for every authenticated caller.
            actor: principal?.role ?? needs,
            route: `${request.method} ${new URL(request.url).pathname}`,
            requestId: call.requestId,
            displayName: principal?.name ?? null,
            isNameVerified: principal?.isVerified ?? false,
            ...(principal && { role: principal.role, callerIds: idsOf(principal) }),
          },
          principal,
        }))();
      return isRead ? whileReachable(answered) : answered;
    });
  return withFacts(answerCall, {
    ...facts,
    needs,
    input: {
      ...(input.params && { params: input.params }),
      ...(input.query && { query: input.query }),
      ...(input.body && { body: input.body }),
    },
    form: facts.form ?? (facts.fileTypes ? "file" : "envelope"),
  });
}

/** The ids behind a call: the creator of a token is responsible for its use. */
function idsOf({ id, makerId }: Principal): string[] {
  return makerId ? [id, makerId] : [id];
}

async function authorise(needs: Needs, request: Request, identify: Call["identify"]): Promise<Principal | null> {
  const need = needOf({ needs });
  if (need !== null) return requireRole(request, need, identify);
  if (needs === "visitor") requireVisitor(request);
  else if (needs === "webhook") requireWebhookKey(request.headers);
  return null;
}

async function renewSession(headers: Headers, responseHeaders: Headers): Promise<void> {
  const cookie = await renewSessionCookie(headers);
  if (cookie !== null) responseHeaders.append("Set-Cookie", cookie);
}

/** Without a runtime there is nothing to wait for: such a host only uses the database. */
function requireReady(): void {
  if (policyStatus()?.state === "starting") throw new AppError("unavailable");
}

/** Of a repeated parameter the first value counts (`api.md` 0.3). Later entries win, so they are inserted in reverse. */
function readQuery(request: Request, schema: z.ZodType | undefined): Record<string, string | string[]> {
  const { searchParams } = new URL(request.url);
  const first: Record<string, string | string[]> = Object.fromEntries([...searchParams].reverse());
  for (const name of repeatableNames(schema)) if (searchParams.has(name)) first[name] = searchParams.getAll(name);
  return first;
}

function parse<T extends z.ZodType | undefined>(schema: T | undefined, value: unknown): OutputOf<T> {
  // TypeScript does not narrow a type parameter; both branches return what `OutputOf` says.
  return (schema === undefined ? undefined : parseInput(schema, value)) as OutputOf<T>;
}

type Definable = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
const allMethods = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"] as const;
type Method = (typeof allMethods)[number];

/** Completes a path's handlers to all methods: others return 405 (`api.md` 0.1). `options.cors`: none by default. */
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
    // Without "preflight" an OPTIONS response has no CORS header, whatever the path allows (`api.md` 0.7).
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
        ...buildPreflightHeaders((name) => request.headers.get(name)),
      },
    }),
  );

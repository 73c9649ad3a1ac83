import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/platform/errors";
import { buildResponse } from "@/lib/platform/http/envelope";
import { findClientAddress } from "@/lib/platform/http/read/client-address";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";
import { toAppError } from "@/lib/routes/to-app-error";
import { log } from "@/lib/platform/log";
import { currentSpan } from "@/lib/platform/traces/traces";
import { within } from "@/lib/platform/async";

/** What is known of a request before anything in it has been read. */
export interface Call {
  readonly request: Request;
  readonly requestId: string;
  /** When the request came, as `performance.now()` tells it. */
  readonly startedAt: number;
  /** Headers for the answer, in case of success. */
  readonly responseHeaders: Headers;
  /** Adds a sentence for people to a success (`meta.message`), e.g. what was not done. */
  readonly say: (message: string) => void;
  /** Says who is calling, for the log (`gate.md` W12): the id of the principal. */
  readonly identify: (callerId: string) => void;
}

/**
 * Answers a request with what `work` returns, or with the failure it throws, in the envelope; writes the request's one
 * log line. Never rejects: a request is always answered (`api.md` 0.5).
 */
export async function answerRequest(
  request: Request,
  { errorMember = false }: { readonly errorMember?: boolean | undefined },
  work: (call: Call) => unknown,
): Promise<Response> {
  const start = performance.now();
  const requestId = randomUUID();
  currentSpan()?.set({ "policy.request_id": requestId });
  const responseHeaders = new Headers();
  const shared = { requestId, errorMember };
  let message: string | null = null;
  const line = { requestId, start, callerId: null as string | null };
  const identify = (callerId: string) => {
    line.callerId = callerId;
  };
  const say = (sentence: string) => {
    message = sentence;
  };
  try {
    const call = { request, requestId, startedAt: start, responseHeaders, say, identify };
    const working = new Promise((resolve) => resolve(work(call)));
    const data = await within(longestMs, working, refuseLate);
    const response = buildResponse({ ...shared, status: 200, message, data, headers: complete(responseHeaders) });
    logRequest(request, line, 200);
    return response;
  } catch (error) {
    const failure = toAppError(error);
    const { status, data, headers } = failure;
    logRequest(request, line, status, failure);
    const answer = { ...shared, status, message: failure.message, data };
    return buildResponse({ ...answer, headers: complete(new Headers({ ...headers })) });
  }
}

/** Shorter than the 70 s after which a connection on which nothing moves is closed, which would leave no answer. */
const longestMs = 60_000;

function refuseLate(): never {
  throw new AppError("timeout");
}

function complete(headers: Headers): Headers {
  for (const [name, value] of Object.entries(buildSharedHeaders())) headers.set(name, value);
  return headers;
}

/**
 * Of a request only the path and the sender are logged: query values may be ids of private things, and other headers and
 * bodies never are. Who is calling is an id, never a name.
 */
function logRequest(
  request: Request,
  { requestId, start, callerId }: { requestId: string; start: number; callerId: string | null },
  status: number,
  failure?: AppError,
): void {
  const line = {
    request_id: requestId,
    address: findClientAddress(request.headers),
    caller: callerId,
    method: request.method,
    path: URL.canParse(request.url) ? new URL(request.url).pathname : "",
    status,
    ms: Math.round((performance.now() - start) * 100) / 100,
  };
  if (status === 500) log.error({ ...line, err: failure?.cause ?? failure }, "request failed");
  else if (status === 503) log.warn({ ...line, reason: nameOf(failure?.cause) }, "request refused for now");
  else log.info(failure === undefined ? line : { ...line, reason: failure.message }, "request");
}

/** While the database is away every request fails the same way: its name is enough, the runtime logs the details. */
function nameOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.name : undefined;
}

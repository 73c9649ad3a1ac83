import { randomUUID } from "node:crypto";
import { AppError } from "@/lib/platform/errors";
import { buildResponse } from "@/lib/platform/http/envelope";
import { findClientAddress } from "@/lib/platform/http/read/client-address";
import { FileAnswer, StreamedData } from "@/lib/platform/http/streamed-data";
import { buildSharedHeaders } from "@/lib/platform/http/headers/shared-headers";
import { log } from "@/lib/platform/log";
import { currentSpan } from "@/lib/platform/traces/traces";
import { within } from "@/lib/platform/async";
import { ZodError } from "zod";
import { DatabaseRefused, isUnavailable, toDatabaseError } from "@/lib/platform/db/connection/errors";
import { buildInputError } from "@/lib/platform/http/read/parse-input";

export interface Call {
  readonly request: Request;
  readonly requestId: string;
  readonly startedAt: number;
  readonly responseHeaders: Headers;
  readonly say: (message: string) => void;
  readonly identify: (callerId: string) => void;
}

/** Wraps the result or error of `work` in the envelope, and logs the request. Never rejects (`api.md` 0.5). */
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
    const data = await within(longestMs, working, () => refuseLate(working));
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

/** Less than the 70 s after which an idle connection is closed without a response. */
const longestMs = 60_000;

/** Nobody reads what comes later, and it must leave no file open. */
function refuseLate(working: Promise<unknown>): never {
  working
    .then((late) => {
      if (late instanceof FileAnswer) return late.data.discard();
      return late instanceof StreamedData ? late.discard() : undefined;
    })
    .catch(() => undefined);
  throw new AppError("timeout");
}

function complete(headers: Headers): Headers {
  for (const [name, value] of Object.entries(buildSharedHeaders())) headers.set(name, value);
  return headers;
}

/** Logs only path and sender: queries may contain private ids, and headers and bodies are never logged. */
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

/** While the database is unreachable, all requests fail alike. The runtime logs details, so the name is enough. */
function nameOf(cause: unknown): string | undefined {
  return cause instanceof Error ? cause.name : undefined;
}

/** The error that a caller sees (`api.md` 0.5). Unknown ones become a 500 without details; `cause` has the original. */
export function toAppError(error: unknown): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ZodError) return buildInputError(error);
  if (isUnavailable(error) || error instanceof DatabaseRefused)
    return new AppError("unavailable", sentenceOf(toDatabaseError(error)), { cause: error });
  return new AppError("internal", undefined, { cause: error });
}

/** Checks the member, because the error may come from another bundle's copy of the class. */
function sentenceOf(error: unknown): string | undefined {
  return error instanceof Error && "sentence" in error && typeof error.sentence === "string"
    ? error.sentence
    : undefined;
}

/** Redirects a browser with 303 to the URL that `work` returns, with the headers it adds, or responds with its error. */
export async function answerRedirect(request: Request, work: (call: Call) => Promise<string>): Promise<Response> {
  let location = "";
  const answer = await answerRequest(request, {}, async (call) => {
    location = await work(call);
  });
  if (!answer.ok) return answer;
  const headers = new Headers(answer.headers);
  headers.delete("Content-Type");
  headers.set("Location", location);
  return new Response(null, { status: 303, headers });
}

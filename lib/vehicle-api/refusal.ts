import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import { browserHeaders, ownSiteOnly } from "@/lib/platform/http/headers/security-headers";
import { awayPagePolicy, buildAwayPage } from "@/lib/vehicle-api/away-page";
import { accessLog } from "@/lib/platform/log";

/** Why a vehicle worker answers in the console's place. */
export type ConsoleRefusal = "length" | "deadline" | "bytes" | "busy" | "away" | "died" | "late" | "malformed";

const unknownEnd = "The console ended before it answered; a change may still be made: look before you repeat it";

/** Status, sentence, and for 503 the seconds after which to come back. */
const answers: Readonly<Record<ConsoleRefusal, readonly [number, string, number?]>> = {
  length: [413, "Payload too large"],
  deadline: [408, "The body did not come in time"],
  bytes: [503, "Service unavailable", 1],
  busy: [503, "Service unavailable", 1],
  away: [503, "Service unavailable", 5],
  died: [503, unknownEnd, 5],
  late: [504, "The work takes too long to wait for; a change may still be made: look before you repeat it"],
  malformed: [400, "Malformed request"],
};

/**
 * Answers a request that the console does not: in the envelope (`api.md` 0.4), or a page with a page when it is worth trying
 * again. Writes the request's line to the log.
 *
 * @param headers of every answer of this server
 */
export function refuseForConsole(
  request: IncomingMessage,
  response: ServerResponse,
  reason: ConsoleRefusal,
  headers: Readonly<Record<string, string>>,
): void {
  const { method = "" } = request;
  const path = pathOf(request);
  const [status, message, retryAfter] = answers[reason];
  const requestId = randomUUID();
  const isPage = status === 503 && !isApiPath(path);
  const body = isPage
    ? buildAwayPage(reason === "busy" || reason === "bytes" ? "busy" : "away", 3)
    : JSON.stringify({ meta: { request_id: requestId, code: status, message }, data: {} });
  // What is left of the body is not read: the connection cannot carry another request.
  if (!request.complete && method !== "GET" && method !== "HEAD") response.shouldKeepAlive = false;
  response.writeHead(status, {
    ...headers,
    ...ownSiteOnly,
    ...(isPage ? { ...browserHeaders, "Content-Security-Policy": awayPagePolicy } : {}),
    "Content-Type": isPage ? "text/html; charset=utf-8" : "application/json; charset=utf-8",
    "Content-Length": String(Buffer.byteLength(body)),
    "Cache-Control": "no-store",
    ...(retryAfter === undefined ? {} : { "Retry-After": String(retryAfter) }),
  });
  response.end(method === "HEAD" ? undefined : body);
  accessLog.info({ request_id: requestId, method, path: path.slice(0, 200), status, reason: message }, "request");
}

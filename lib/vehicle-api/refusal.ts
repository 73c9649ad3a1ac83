import { createHash, randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import { browserHeaders, ownSiteOnly } from "@/lib/platform/http/headers/security-headers";
import { accessLog } from "@/lib/platform/log";

export type ConsoleRefusal = "length" | "deadline" | "bytes" | "busy" | "away" | "died" | "late" | "malformed";

/** Set by a proxy that can send the request to another instance (`processes.md` N3). */
const anotherInstance = "x-another-instance";

export const hasAnotherInstance = ({ headers }: IncomingMessage) => headers[anotherInstance] !== undefined;

/** The console has seen nothing of the request, whatever its method. */
const unsent: ReadonlySet<ConsoleRefusal> = new Set(["away", "busy", "bytes"]);
/** For such a proxy: 503 may also be about a request that has been sent. */
const misdirected = [421, "The console of this instance cannot take the request"] as const;

const unknownEnd = "The console ended before it answered; a change may still be made: check before you repeat it";

const answers: Readonly<Record<ConsoleRefusal, readonly [number, string, number?]>> = {
  length: [413, "Payload too large"],
  deadline: [408, "The body did not arrive in time"],
  bytes: [503, "Service unavailable", 1],
  busy: [503, "Service unavailable", 1],
  away: [503, "Service unavailable", 5],
  died: [503, unknownEnd, 5],
  late: [504, "The work takes too long to wait for; a change may still be made: check before you repeat it"],
  malformed: [400, "Malformed request"],
};

/** Responds in place of the console, in the envelope (`api.md` 0.4) or with a page if a retry makes sense, and logs it. */
export function refuseForConsole(
  request: IncomingMessage,
  response: ServerResponse,
  reason: ConsoleRefusal,
  headers: Readonly<Record<string, string>>,
): void {
  const { method = "" } = request;
  const path = pathOf(request);
  const [status, message, retryAfter] =
    unsent.has(reason) && hasAnotherInstance(request) ? misdirected : answers[reason];
  const requestId = randomUUID();
  const isPage = status === 503 && !isApiPath(path);
  const body = isPage
    ? buildAwayPage(reason === "busy" || reason === "bytes" ? "busy" : "away", 3)
    : JSON.stringify({ meta: { request_id: requestId, code: status, message }, data: {} });
  // The rest of the body is not read, so the connection cannot carry another request.
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

const style =
  ":root{color-scheme:light dark;font:16px/1.5 system-ui,sans-serif;background:#fff;color:#18181b}" +
  "body{margin:0;min-height:100vh;display:grid;place-items:center}main{max-width:32rem;padding:1.5rem}" +
  "h1{font-size:1.25rem;margin:0 0 .5rem}p{margin:0;color:#52525b}" +
  "@media (prefers-color-scheme:dark){:root{background:#18181b;color:#fafafa}p{color:#a1a1aa}}";

const awayPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash("sha256").update(style).digest("base64")}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'self'",
].join("; ");

const texts = {
  away: ["The console is starting again…", "Vehicles still get answers. This page reloads by itself."],
  busy: ["The console has too much to do…", "Vehicles get answers as usual. This page reloads by itself."],
} as const;

function buildAwayPage(reason: "away" | "busy", seconds: number): string {
  const [title, text] = texts[reason];
  return (
    `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>${title}</title>` +
    `<meta name="viewport" content="width=device-width"><meta http-equiv="refresh" content="${seconds}">` +
    `<style>${style}</style></head><body><main role="status"><h1>${title}</h1><p>${text}</p></main></body></html>`
  );
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { beginSpan, isTracing, within } from "@/lib/platform/traces/traces";

/**
 * Does the work for a request of the console as a span (`docs/traces.md`), part of what the vehicle worker or the client has
 * begun. It ends when the answer has been sent, or its reader has gone.
 *
 * @param path without its query, which may hold ids of private things
 * @param route the pattern that the path follows, such as `/api/v1/applications/[id]`; null when none is known
 */
export function inRequestSpan<T>(
  request: IncomingMessage,
  response: ServerResponse,
  { path, route }: { readonly path: string; readonly route: () => string | null },
  work: () => T,
): T {
  if (!isTracing()) return work();
  const { method = "GET", headers } = request;
  const pattern = route();
  const span = beginSpan(pattern === null ? method : `${method} ${pattern}`, {
    kind: "server",
    parent: headers.traceparent?.toString(),
    attributes: {
      "http.request.method": method,
      "url.path": path,
      ...(pattern !== null && { "http.route": pattern }),
    },
  });
  if (span === null) return work();
  response.once("close", () => {
    span.set({ "http.response.status_code": response.statusCode });
    span.end(response.statusCode >= 500);
  });
  return within(span, work);
}

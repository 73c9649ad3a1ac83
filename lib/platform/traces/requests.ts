import type { IncomingMessage, ServerResponse } from "node:http";
import { beginSpan, isTracing, within } from "@/lib/platform/traces/traces";

/**
 * Runs a console request as a span (`docs/traces.md`), within the worker's or the client's. It ends with the answer.
 * @param path without its query, which may hold private ids
 * @param route the pattern that the path follows; null: unknown
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

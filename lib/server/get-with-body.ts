import type { IncomingMessage } from "node:http";

const certificateRoute = /^\/api\/v?1\/applications\/certificate\/get\/?(?:\?|$)/;

/**
 * Lets `GET applications/certificate/get` have a body (`api.md` 6.1). Next, like the Fetch standard, knows none on GET;
 * the route answers POST in the same way, so such a request is handed on as one.
 */
export function acceptBodyOfGet(request: Pick<IncomingMessage, "method" | "url" | "headers">): void {
  if (request.method !== "GET" || !certificateRoute.test(request.url ?? "")) return;
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding !== undefined || Number(length ?? 0) > 0) request.method = "POST";
}

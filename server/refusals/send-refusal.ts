import { randomUUID } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AppError } from "@/lib/platform/errors";
import { pathOf } from "@/lib/platform/http/api-path";
import { accessLog } from "@/lib/platform/log";

export function sendRefusal(
  request: Pick<IncomingMessage, "method" | "url">,
  response: ServerResponse,
  { status, message, headers: own }: AppError,
  headers: Readonly<Record<string, string>> = {},
): void {
  const { method } = request;
  const requestId = randomUUID();
  const meta = { request_id: requestId, code: status, message };
  const type = { "Content-Type": "application/json; charset=utf-8", "Cache-Control": "no-store" };
  response.statusCode = status;
  response.setHeaders(new Map(Object.entries({ ...own, ...headers, ...type })));
  response.end(method === "HEAD" ? undefined : JSON.stringify({ meta, data: {} }));
  const path = pathOf(request).slice(0, 200);
  accessLog.info({ request_id: requestId, method, path, status, reason: message }, "request");
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { databaseState } from "@/lib/platform/db/connection/connect";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import { findServices } from "@/lib/policy/services";

/**
 * Lets a page that fails while the database is out of reach answer 503 with `Retry-After` instead of the framework's 500,
 * so that proxies and monitors do not take an outage for a fault of the program.
 */
export function markUnavailable(request: IncomingMessage, response: ServerResponse): void {
  if (isApiPath(pathOf(request))) return;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...more: unknown[]) => {
    const isAway = status === 500 && isDatabaseAway();
    if (isAway) response.setHeader("Retry-After", "5");
    return writeHead(isAway ? 503 : status, ...more);
  };
}

/** The runtime looks at the database every second, and often knows before the driver does. */
function isDatabaseAway(): boolean {
  const { status } = databaseState();
  return ["connecting", "disconnected", "refused"].includes(status) || findServices()?.runtime.isCurrent === false;
}

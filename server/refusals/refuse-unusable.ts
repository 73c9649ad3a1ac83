import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { AppError } from "@/lib/platform/errors";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import { isJsonDeeperThan } from "@/lib/platform/http/read/json-depth";
import { isTooLong } from "@/lib/platform/http/read/read-body";
import { sendRefusal } from "@/server/refusals/send-refusal";

const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const allowed = "GET, HEAD, POST, PUT, OPTIONS";

/** Internal headers of Next, or for features not used here. From clients, they only do harm. */
const inner = /^(?:x-(?:middleware|invoke|nextjs|next|now)-|x-matched-path$|next-resume$|next-action$)/;
/** Headers with which Next's own pages request something other than a page. */
const ofPages = /^(?:rsc$|next-)/;
const routerStateHeader = "next-router-state-tree";

/** Responds in the envelope where Next would fail or redirect (`api.md` 0.1, 0.4), and strips Next's own headers. */
export function refuseUnusable(request: IncomingMessage, response: ServerResponse): boolean {
  request.url = (request.url ?? "").replace(/^https?:\/\/[^/?#]*/i, "");
  const path = pathOf(request);
  const refusal = findRefusal(request, path);
  if (refusal !== null) {
    sendRefusal(request, response, refusal);
    return true;
  }
  const state = request.headers[routerStateHeader];
  for (const name of Object.keys(request.headers)) {
    if (name === routerStateHeader && typeof state === "string" && !isApiPath(path) && isRouterState(state)) continue;
    if (name === routerStateHeader || inner.test(name) || (isApiPath(path) && ofPages.test(name)))
      Reflect.deleteProperty(request.headers, name);
  }
  return false;
}

function findRefusal(request: IncomingMessage, path: string): AppError | null {
  const { method = "" } = request;
  if (!path.startsWith("/") || !isDecodable(path)) return new AppError("invalid", "Malformed path");
  if (!knownMethods.has(method)) return new AppError("methodNotAllowed", undefined, { headers: { Allow: allowed } });
  // The client waits for permission to send the body.
  if (request.headers.expect !== undefined && isTooLong(request)) return new AppError("payloadTooLarge");
  return /[\\/]{2}|\\/.test(path) && isApiPath(path.replaceAll(/[\\/]+/g, "/")) ? new AppError("notFound") : null;
}

function isDecodable(path: string): boolean {
  try {
    decodeURIComponent(path);
    return true;
  } catch {
    return false;
  }
}

/** Deeper than the state of any page, in levels of JSON. Deeper ones are dropped. */
const deepestState = 42;

/** Whether Next can parse a `Next-Router-State-Tree`. It returns 500 for any other. */
function isRouterState(value: string): boolean {
  try {
    if (isJsonDeeperThan(Buffer.from(decodeURIComponent(value)), deepestState)) return false;
    parseAndValidateFlightRouterState(value);
    return true;
  } catch {
    return false;
  }
}

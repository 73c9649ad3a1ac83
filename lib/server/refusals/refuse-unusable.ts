import type { IncomingMessage, ServerResponse } from "node:http";
import { parseAndValidateFlightRouterState } from "next/dist/server/app-render/parse-and-validate-flight-router-state.js";
import { AppError } from "@/lib/platform/errors";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import { isJsonDeeperThan } from "@/lib/platform/http/read/json-depth";
import { isTooLong } from "@/lib/platform/http/read/read-body";
import { sendRefusal } from "@/lib/server/refusals/send-refusal";

const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const allowed = "GET, HEAD, POST, PUT, OPTIONS";

/** What the framework uses between its own parts, or for what is not used here; from outside it only leads astray. */
const inner = /^(?:x-(?:middleware|invoke|nextjs|next|now)-|x-matched-path$|next-resume$|next-action$)/;
/** What the framework's own pages send to get something else than a page. */
const ofPages = /^(?:rsc$|next-)/;
const routerStateHeader = "next-router-state-tree";

/**
 * Answers what the framework would answer with a failure or redirect of its own, in the envelope (`api.md` 0.1, 0.4): an
 * unusable target, an unknown method, an API path with empty segments, a body announced as too long. Takes out of other
 * requests what the framework would take for its own. Gives whether the request has been answered.
 */
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
  // Its sender waits to be told whether to send it.
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

/** Deeper than the state of any page, in levels of JSON: of what is deeper nothing is believed. */
const deepestState = 42;

/** Whether a value of `Next-Router-State-Tree` can be read: the framework answers 500 to every other. */
function isRouterState(value: string): boolean {
  try {
    if (isJsonDeeperThan(Buffer.from(decodeURIComponent(value)), deepestState)) return false;
    parseAndValidateFlightRouterState(value);
    return true;
  } catch {
    return false;
  }
}

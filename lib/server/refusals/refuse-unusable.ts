import type { IncomingMessage, ServerResponse } from "node:http";
import { AppError } from "@/lib/platform/errors";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import { isTooLong } from "@/lib/platform/http/read/read-body";
import { sendRefusal } from "@/lib/server/refusals/send-refusal";
import { z } from "zod";

/** The methods that some route or page knows. */
const knownMethods: ReadonlySet<string> = new Set(["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]);
const allowed = "GET, HEAD, POST, PUT, OPTIONS";

/** What the framework uses between its own parts, or for what is not used here; from outside it only leads astray. */
const inner = /^(?:x-(?:middleware|invoke|nextjs|next|now)-|x-matched-path$|next-resume$|next-action$)/;
/** What the framework's own pages send to get something else than a page. */
const ofPages = /^(?:rsc$|next-)/;
const routerStateHeader = "next-router-state-tree";

/**
 * Answers a request that the framework would answer with a failure or a redirect of its own, in the envelope
 * (`api.md` 0.1, 0.4): a target that is no path or cannot be decoded, a method that nothing knows, an API path with
 * empty segments, a body that is announced as too long before it is sent. Also takes out of all others what the framework
 * would take for its own: its headers, of its pages those that it could not read, and the origin of a target in absolute
 * form.
 *
 * @returns whether the request has been answered
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

/** Longer ones are refused by the framework as well. */
const longest = 40_000;

const segment = z.union([z.string(), z.tuple([z.string(), z.string(), z.string(), z.array(z.string()).nullable()])]);
const marker = z.string().nullish();

/** The form in which the framework's pages say what they show; of what is deeper than any page nothing is believed. */
function routerState(depth: number): z.ZodType {
  const below = depth === 0 ? z.never() : z.lazy(() => routerState(depth - 1));
  const refresh = z.tuple([z.string(), z.string()]).nullish();
  const rest = [refresh, z.enum(["refetch", "inside-shared-layout", "metadata-only"]).nullish(), z.number().nullish()];
  const [first, second, third] = rest as [typeof refresh, z.ZodType, z.ZodType];
  return z.tuple([segment, z.record(z.string(), below), first.optional(), second.optional(), third.optional(), marker]);
}

const schema = routerState(20);

/** Whether a value of `Next-Router-State-Tree` can be read: the framework answers 500 to every other. */
function isRouterState(value: string): boolean {
  if (value.length > longest) return false;
  try {
    return schema.safeParse(JSON.parse(decodeURIComponent(value))).success;
  } catch {
    return false;
  }
}

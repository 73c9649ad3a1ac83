import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import { healthAnswer } from "@/lib/policy/health";
import { ownSiteOnly } from "@/lib/platform/http/headers/security-headers";
import { accessLog, log } from "@/lib/platform/log";
import { type KnownPaths, type PathKind, type RequestKind, requestKindOf } from "@/lib/server/refusals/known-paths";
import { prepareForNext } from "@/lib/server/prepare-for-next";
import { refusePlain } from "@/lib/server/refusals/refuse-plain";
import { refuseUnknown } from "@/lib/server/refusals/refuse-unknown";
import { createPageTurns } from "@/lib/server/page-turns";
import { refuseUnusable } from "@/lib/server/refusals/refuse-unusable";
import type { Settings } from "@/lib/platform/settings";
import { inRequestSpan } from "@/lib/platform/traces/traces";
import { databaseState } from "@/lib/platform/db/connection/connect";
import { findServices } from "@/lib/policy/services";
import { randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { buildBundleHeaders, findKeptBundle } from "@/lib/apps/bundles/local";

export interface ConsoleOptions {
  readonly settings: Settings;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  /** When the framework can be asked; requests wait for it. */
  readonly prepared: Promise<unknown>;
  /** What there is to be asked for (`readKnownPaths`); null in development, where that changes. */
  readonly paths: KnownPaths | null;
  /** Whether all requests come from vehicle workers, which tell the peer in a header (`processes.md` N3). */
  readonly isBehindVehicleWorkers: boolean;
  /** Told of every answer, for the figures: when it has been sent, or its reader has gone. */
  readonly observe?: (event: { kind: RequestKind; status: number; milliseconds: number }) => void;
}

/** Behind workers, connections are theirs: they decide how long a client may take. */
const timeout = { keepAliveTimeout: 150_000, headersTimeout: 60_000, requestTimeout: 120_000 };

export function createConsoleServer(options: ConsoleOptions): Server {
  const server = createServer(timeout, createConsoleHandler(options));
  server.setTimeout(0);
  return server;
}

/** Makes what answers the console's requests, ours first, then the framework. Never throws; always answers. */
export function createConsoleHandler(
  options: ConsoleOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { settings, handler, prepared, paths, isBehindVehicleWorkers, observe } = options;
  // Awaited with each request; until the first one a failure must not look like one that nobody handles.
  prepared.catch(() => undefined);
  const prepareRequest = prepareForNext(settings, isBehindVehicleWorkers);
  const isRefused = refusePlain(settings);
  const inTurn = createPageTurns();

  const answer = async (request: IncomingMessage, response: ServerResponse, start: number) => {
    prepareRequest(request, response);
    markUnavailable(request, response);
    if (refuseUnusable(request, response)) return;
    const path = pathOf(request);
    const kind = paths?.(path) ?? null;
    const observed = requestKindOf(path, kind);
    if (observe) {
      response.once("close", () => {
        observe({ kind: observed, status: response.statusCode, milliseconds: performance.now() - start });
      });
    }
    if (isRefused(request, response)) return;
    if (answerHealth(request, response, path)) return;
    const work = () => answerUsable(request, response, path, kind);
    if (observed === "file") await work();
    else await inRequestSpan(request, response, { path, route: () => paths?.routeOf?.(path) ?? null }, work);
  };

  const answerUsable = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    kind: PathKind | null,
  ) => {
    if (kind !== null && (await refuseUnknown(request, response, path, kind, settings))) return;
    if (await sendBundle(request, response, settings.bundleDir)) return;
    await prepared;
    const isPage = kind === "page" || kind === "unknown" || (kind === null && requestKindOf(path, kind) === "page");
    if (isPage) await inTurn(response, () => handler(request, response));
    else await handler(request, response);
  };

  return (request, response) => {
    // Node reads nothing after a request that offers an upgrade: the connection must not wait for more.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    answer(request, response, performance.now()).catch((error: unknown) => answerFailure(error, response));
  };
}

/**
 * `GET /health` (`api.md` 2.2), in one turn of the event loop however busy the framework is: whoever watches this
 * process ends it without an answer (`processes.md` N4). Other methods are the route's.
 */
function answerHealth({ method }: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (path !== "/health" || (method !== "GET" && method !== "HEAD")) return false;
  const { status, headers, body } = healthAnswer;
  response.writeHead(status, { ...ownSiteOnly, ...headers }).end(method === "HEAD" ? undefined : body);
  return true;
}

/** The framework answers its own failures; this is what is left when even that fails. */
function answerFailure(error: unknown, response: ServerResponse): void {
  log.error({ err: error }, "request failed outside of its handler");
  if (!response.headersSent) response.writeHead(500, { "Content-Type": "text/plain" });
  response.end();
}

/** Turns a failed page's 500 into 503 while the database is away: monitors must not take an outage for a bug. */
function markUnavailable(request: IncomingMessage, response: ServerResponse): void {
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

const bundlePath = /^\/bundles\/([^/?#]+)(?:\?|$)/;

/** Sends a bundle kept here (`directory.md` section 8), with the length that Next cannot send. False: Next answers. */
export async function sendBundle(
  request: IncomingMessage,
  response: ServerResponse,
  bundleDir: string,
): Promise<boolean> {
  const { method = "", url = "" } = request;
  const name = bundlePath.exec(url)?.[1];
  if (name === undefined || (method !== "GET" && method !== "HEAD")) return false;
  const start = performance.now();
  const bundle = await findKeptBundle(name, bundleDir).catch(() => null);
  if (bundle === null) return false;
  response.writeHead(200, buildBundleHeaders(bundle));
  const line = { request_id: randomUUID(), method, path: `/bundles/${name}`, status: 200 };
  try {
    if (method === "HEAD") response.end();
    else await pipeline(bundle.read(), response);
    accessLog.info({ ...line, ms: Math.round((performance.now() - start) * 100) / 100 }, "request");
  } catch (error) {
    // The reader went away, or the file cannot be read to its end; the status has been sent in both cases.
    log.warn({ ...line, err: error }, "answer cut off");
  }
  return true;
}

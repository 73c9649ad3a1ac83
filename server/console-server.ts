import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import { healthAnswer } from "@/lib/policy/health";
import { callerHeader, knownAgoHeader, noticeCaller } from "@/lib/platform/http/headers/caller";
import { ownSiteOnly } from "@/lib/platform/http/headers/security-headers";
import { accessLog, log } from "@/lib/platform/log";
import { type KnownPaths, type PathKind, type RequestKind, requestKindOf } from "@/server/refusals/known-paths";
import { prepareForNext } from "@/server/prepare-for-next";
import { refusePlain } from "@/server/refusals/refuse-plain";
import { refuseUnknown } from "@/server/refusals/refuse-unknown";
import { createPageTurns } from "@/server/page-turns";
import { refuseUnusable } from "@/server/refusals/refuse-unusable";
import type { Settings } from "@/lib/platform/settings";
import { inRequestSpan } from "@/lib/platform/traces/traces";
import { wasUnavailable } from "@/lib/platform/db/connection/errors";
import { databaseState } from "@/lib/platform/db/connection/connect";
import { findServices } from "@/lib/policy/services";
import { randomUUID } from "node:crypto";
import { pipeline } from "node:stream/promises";
import { buildBundleHeaders, findKeptBundle } from "@/lib/apps/bundles/local";

export interface ConsoleOptions {
  readonly settings: Settings;
  readonly handler: (request: IncomingMessage, response: ServerResponse) => Promise<void>;
  readonly prepared: Promise<unknown>;
  /** Known paths (`readKnownPaths`); null in development, where they change. */
  readonly paths: KnownPaths | null;
  /** Whether all requests come from vehicle workers, which name the client in a header. */
  readonly isBehindVehicleWorkers: boolean;
  readonly observe?: (event: { kind: RequestKind; status: number; milliseconds: number }) => void;
}

/** Long, because vehicle workers own the connections and limit slow clients. */
const timeout = { keepAliveTimeout: 150_000, headersTimeout: 60_000, requestTimeout: 120_000 };

export function createConsoleServer(options: ConsoleOptions): Server {
  const server = createServer(timeout, createConsoleHandler(options));
  server.setTimeout(0);
  return server;
}

export function createConsoleHandler(
  options: ConsoleOptions,
): (request: IncomingMessage, response: ServerResponse) => void {
  const { settings, handler, prepared, paths, isBehindVehicleWorkers, observe } = options;
  // Every request awaits it. Until the first one, a failure must not count as unhandled.
  prepared.catch(() => undefined);
  const prepareRequest = prepareForNext(settings, isBehindVehicleWorkers);
  const isRefused = refusePlain(settings);
  // Pages for strangers, such as the login page, never stand before those of people who are signed in.
  const [inTurn, inTurnOfStrangers] = [createPageTurns(), createPageTurns({ max: 2 })];

  let lastKnown = -Infinity;
  const answer = async (request: IncomingMessage, response: ServerResponse, start: number) => {
    const isKnown = prepareRequest(request, response);
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
    const sinceKnown = performance.now() - lastKnown;
    if (isBehindVehicleWorkers && sinceKnown < Infinity) response.setHeader(knownAgoHeader, Math.round(sinceKnown));
    const note = (isRight: boolean) => {
      if (isRight) lastKnown = performance.now();
      if (!response.headersSent) response.setHeader(callerHeader, isRight ? "known" : "stranger");
    };
    const answerIt = () => answerUsable(request, response, path, kind, isKnown);
    const work = () => (isBehindVehicleWorkers ? noticeCaller(note, answerIt) : answerIt());
    if (observed === "file") await work();
    else await inRequestSpan(request, response, { path, route: () => paths?.routeOf?.(path) ?? null }, work);
  };

  const answerUsable = async (
    request: IncomingMessage,
    response: ServerResponse,
    path: string,
    kind: PathKind | null,
    isKnown: boolean,
  ) => {
    if (kind !== null && (await refuseUnknown(request, response, path, kind, settings))) return;
    if (await sendBundle(request, response, settings.bundleDir)) return;
    await prepared;
    const isPage = kind === "page" || kind === "unknown" || (kind === null && requestKindOf(path, kind) === "page");
    if (isPage) await (isKnown ? inTurn : inTurnOfStrangers)(response, () => handler(request, response));
    else await handler(request, response);
  };

  return (request, response) => {
    // Node reads nothing after a request that offers an upgrade, so the connection must close.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    answer(request, response, performance.now()).catch((error: unknown) => answerFailure(error, response));
  };
}

/** Responds in one turn of the event loop, even if Next is busy: else `main` ends this process (`processes.md` N4). */
function answerHealth({ method }: IncomingMessage, response: ServerResponse, path: string): boolean {
  if (path !== "/health" || (method !== "GET" && method !== "HEAD")) return false;
  const { status, headers, body } = healthAnswer;
  response.writeHead(status, { ...ownSiteOnly, ...headers }).end(method === "HEAD" ? undefined : body);
  return true;
}

/** Next handles its own errors. This is for when even that fails. */
function answerFailure(error: unknown, response: ServerResponse): void {
  log.error({ err: error }, "request failed outside of its handler");
  if (!response.headersSent) response.writeHead(500, { "Content-Type": "text/plain" });
  response.end();
}

/** Turns a page's 500 into 503 while the database is away: monitoring must not mistake an outage for a bug. */
function markUnavailable(request: IncomingMessage, response: ServerResponse): void {
  if (isApiPath(pathOf(request))) return;
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => ServerResponse;
  response.writeHead = (status: number, ...more: unknown[]) => {
    const isAway = status === 500 && isDatabaseAway();
    if (isAway) response.setHeader("Retry-After", "5");
    return writeHead(isAway ? 503 : status, ...more);
  };
}

/** Longer than it takes the runtime to notice. */
const unnoticedMs = 2_000;

/** The runtime checks the database every second, and often notices before the driver does; a page's query before both. */
function isDatabaseAway(): boolean {
  if (wasUnavailable(unnoticedMs) || findServices()?.runtime.isCurrent === false) return true;
  return ["connecting", "disconnected", "refused"].includes(databaseState().status);
}

const bundlePath = /^\/bundles\/([^/?#]+)(?:\?|$)/;

/** Sends a stored bundle (`directory.md` section 8) with its length, which Next cannot. False: left to Next. */
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
    // The client disconnected, or reading failed halfway. The status has already been sent.
    log.warn({ ...line, err: error }, "answer cut off");
  }
  return true;
}

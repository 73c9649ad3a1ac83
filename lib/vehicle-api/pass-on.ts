import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PassThrough, pipeline } from "node:stream";
import { TLSSocket } from "node:tls";
import type { Caller } from "@/lib/vehicle-api/callers";
import { callerHeader, knownAgoHeader } from "@/lib/platform/http/headers/caller";
import { formatVehicleWorkerPeer, vehicleWorkerPeerHeader } from "@/lib/platform/http/headers/worker-peer";

export type ConsoleAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** How a forwarded request ended. Only after the first does the client need no response from us. */
export type Ending = "answered" | "away" | "died" | "late";

export interface PassOn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly console: ConsoleAddress;
  readonly agent: http.Agent;
  readonly traceparent: string | null;
  readonly gone: AbortSignal;
  readonly isDraining: () => boolean;
  /** Called once, if the client reads its response more slowly than the console sends it. */
  readonly onSlowClient: () => void;
  readonly caller: Pick<Caller, "isKnown">;
  readonly onCaller: (isKnown: boolean) => void;
  readonly onKnownAgo: (milliseconds: number) => void;
  readonly silenceMs: number;
  readonly unsentMs: number;
}

/** Idempotent methods, which may be sent twice (RFC 9110, 9.2.2). */
const repeatable: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Forwards a request and its response, without connection headers (`processes.md` N3). If the client leaves, the
 * request ends, too. If the console dies during a response, resets the client's connection, so that no client takes a
 * partial response for a whole one. Resolves once the console is done with it. Never rejects.
 */
export async function passOn(exchange: PassOn): Promise<Ending> {
  const { request, agent } = exchange;
  const [ending, isStale] = await attempt(exchange, agent);
  // The console may have closed an idle connection at that very moment. Then it has seen nothing of the request.
  if (!isStale || !repeatable.has(request.method ?? "")) return ending;
  return (await attempt(exchange, false))[0];
}

function attempt(exchange: PassOn, agent: http.Agent | false): Promise<readonly [Ending, boolean]> {
  const { request, response, body, console: to, gone, silenceMs, traceparent, caller } = exchange;
  return new Promise((resolve) => {
    const outgoing = http.request({
      ...("path" in to ? { socketPath: to.path } : to),
      agent,
      method: request.method,
      path: request.url,
      headers: buildPassedRequestHeaders(request, body.length, { traceparent, isKnown: caller.isKnown }),
      timeout: silenceMs,
    });
    let isLate = false;
    const stop = () => outgoing.destroy();
    const end = (ending: Ending, isStale = false) => {
      gone.removeEventListener("abort", stop);
      resolve([ending, isStale]);
    };
    gone.addEventListener("abort", stop);
    outgoing.once("timeout", () => {
      isLate = true;
      stop();
    });
    outgoing.once("response", (answer) => {
      outgoing.setTimeout(0);
      answer.once("end", () => gone.removeEventListener("abort", stop));
      answer.once("close", () => end("answered"));
      sendBack(exchange, answer);
    });
    outgoing.on("error", (error) => {
      // After a partial response, the client sees the error by itself.
      if (response.headersSent) return;
      if (gone.aborted) end("answered");
      else if (isLate) end("late");
      else end(isConnecting(error) ? "away" : "died", isStaleConnection(outgoing, error));
    });
    outgoing.end(body);
  });
}

/** Bytes of a response read from the console before the client has read them. */
const ahead = 65_536;

function sendBack(
  { response, isDraining, onSlowClient, onCaller, onKnownAgo, unsentMs }: PassOn,
  answer: IncomingMessage,
): void {
  const { socket } = response;
  const caller = answer.headers[callerHeader];
  if (caller !== undefined) onCaller(caller === "known");
  const knownAgo = answer.headers[knownAgoHeader];
  if (knownAgo !== undefined) onKnownAgo(Number(knownAgo));
  if (isDraining()) response.shouldKeepAlive = false;
  // Ours would be a second `Date`.
  response.sendDate = answer.headers.date === undefined;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", buildPassedAnswerHeaders(answer));
  // Before `pipeline` sees the error, which would end the connection normally.
  answer.once("error", () => {
    if (socket instanceof TLSSocket) socket.destroy();
    else socket?.resetAndDestroy();
  });
  answer.once("pause", onSlowClient);
  const reserve = new PassThrough({ writableHighWaterMark: ahead });
  if (socket !== null) boundUnsent(reserve, response, socket, unsentMs);
  pipeline(answer, reserve, response, () => undefined);
}

/** Once only the client is slow, it has less time than the console. */
function boundUnsent(reserve: PassThrough, response: ServerResponse, socket: Socket, unsentMs: number): void {
  const usual = socket.timeout ?? 0;
  reserve.on("pause", () => socket.setTimeout(unsentMs));
  reserve.once("end", () => socket.setTimeout(unsentMs));
  response.on("drain", () => socket.setTimeout(usual));
  response.once("finish", () => socket.setTimeout(usual));
}

const isConnecting = (error: NodeJS.ErrnoException) => error.syscall === "connect";

const isStaleConnection = ({ reusedSocket }: ClientRequest, { code }: NodeJS.ErrnoException) =>
  reusedSocket && (code === "ECONNRESET" || code === "EPIPE");

/** Headers of a connection, not of the message (RFC 9110, 7.6.1). */
const ofConnection = /^(?:connection|keep-alive|transfer-encoding|upgrade|te|trailer|expect|http2-settings|proxy-.*)$/;
/** Headers that `Connection` cannot remove: sender, recipient and length of a message. */
const ofMessage = /^(?:host|cookie|authorization|content-.*|x-forwarded-.*|forwarded)$/;

/** Alternating names and values, as in Node: names as sent, possibly repeated. */
type RawHeaders = readonly string[];

function withoutConnection(raw: RawHeaders, connection: string | undefined, more: ReadonlySet<string>): string[] {
  const named = new Set(connection?.toLowerCase().split(/[\s,]+/));
  const kept: string[] = [];
  for (let at = 0; at < raw.length; at += 2) {
    const [name = "", value = ""] = raw.slice(at, at + 2);
    const lower = name.toLowerCase();
    const isOfConnection = ofConnection.test(lower) || (named.has(lower) && !ofMessage.test(lower));
    if (!isOfConnection && !more.has(lower)) kept.push(name, value);
  }
  return kept;
}

const ofVehicleWorker: ReadonlySet<string> = new Set([vehicleWorkerPeerHeader, "content-length"]);
const ofTracedVehicleWorker: ReadonlySet<string> = new Set([...ofVehicleWorker, "traceparent"]);
/** Methods for which Node announces a body of unknown length if none is given. */
const withBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

export function buildPassedRequestHeaders(
  request: IncomingMessage,
  length: number,
  { traceparent = null, isKnown = false }: Partial<Pick<PassOn, "traceparent"> & Pick<Caller, "isKnown">> = {},
): string[] {
  const { rawHeaders, headers, method = "", socket } = request;
  const passed = withoutConnection(
    rawHeaders,
    headers.connection,
    traceparent === null ? ofVehicleWorker : ofTracedVehicleWorker,
  );
  if (traceparent !== null) passed.push("traceparent", traceparent);
  // HTTP/1.0 clients may send no host, but the console expects HTTP/1.1.
  if (headers.host === undefined) passed.push("Host", "");
  if (length > 0 || headers["content-length"] !== undefined || withBody.has(method))
    passed.push("Content-Length", String(length));
  const address = socket.remoteAddress?.split("%", 1)[0] ?? "unknown";
  passed.push(
    vehicleWorkerPeerHeader,
    formatVehicleWorkerPeer({ address, isSecure: socket instanceof TLSSocket, isKnown }),
  );
  return passed;
}

const ofConsole: ReadonlySet<string> = new Set([callerHeader, knownAgoHeader]);

export function buildPassedAnswerHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  return withoutConnection(rawHeaders, headers.connection, ofConsole);
}

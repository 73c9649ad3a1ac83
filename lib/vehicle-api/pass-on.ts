import http, { type ClientRequest, type IncomingMessage, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { PassThrough, pipeline } from "node:stream";
import { TLSSocket } from "node:tls";
import { formatVehicleWorkerPeer, vehicleWorkerPeerHeader } from "@/lib/platform/http/headers/worker-peer";

export type ConsoleAddress = { readonly path: string } | { readonly host: string; readonly port: number };

/** How a request that was passed on ended: only the first needs no answer from us. */
export type Ending = "answered" | "away" | "died" | "late";

export interface PassOn {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly body: Buffer;
  readonly console: ConsoleAddress;
  readonly agent: http.Agent;
  /** Of the vehicle worker's span of this request; null when it has none. */
  readonly traceparent: string | null;
  readonly gone: AbortSignal;
  readonly isDraining: () => boolean;
  /** Called once, when the client turns out to take its answer more slowly than the console gives it. */
  readonly onSlowClient: () => void;
  /** Time for the console's answer to begin, in milliseconds. */
  readonly silenceMs: number;
  /** A client that takes nothing of its answer for this long is cut off, in milliseconds. */
  readonly unsentMs: number;
}

/** May be sent twice: the second time changes nothing (RFC 9110, 9.2.2). */
const repeatable: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS", "PUT", "DELETE"]);

/**
 * Passes a request to the console and its answer back, but for connection headers (`processes.md` N3). A client that
 * leaves ends the request there; a console that dies mid-answer resets the client's connection, so nobody takes half an
 * answer for whole.
 * @returns how it ended, once the console is done with it. Never rejects
 */
export async function passOn(exchange: PassOn): Promise<Ending> {
  const { request, agent } = exchange;
  const [ending, isStale] = await attempt(exchange, agent);
  // The console may have closed an idle connection just when it was taken: then it has seen nothing of the request.
  if (!isStale || !repeatable.has(request.method ?? "")) return ending;
  return (await attempt(exchange, false))[0];
}

/** @returns how it ended, and whether a connection that had been used before broke without a word */
function attempt(exchange: PassOn, agent: http.Agent | false): Promise<readonly [Ending, boolean]> {
  const { request, response, body, console: to, gone, silenceMs, traceparent } = exchange;
  return new Promise((resolve) => {
    const outgoing = http.request({
      ...("path" in to ? { socketPath: to.path } : to),
      agent,
      method: request.method,
      path: request.url,
      headers: buildPassedRequestHeaders(request, body.length, traceparent),
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
      // With half an answer sent, its own failure tells the client.
      if (response.headersSent) return;
      if (gone.aborted) end("answered");
      else if (isLate) end("late");
      else end(isConnecting(error) ? "away" : "died", isStaleConnection(outgoing, error));
    });
    outgoing.end(body);
  });
}

/** Bytes of an answer that are taken from the console before its client has taken them. */
const ahead = 65_536;

function sendBack({ response, isDraining, onSlowClient, unsentMs }: PassOn, answer: IncomingMessage): void {
  const { socket } = response;
  if (isDraining()) response.shouldKeepAlive = false;
  // Ours would be a second one.
  response.sendDate = answer.headers.date === undefined;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage ?? "", buildPassedAnswerHeaders(answer));
  // Before the pipeline learns of it, which would end the connection as if all were well.
  answer.once("error", () => {
    if (socket instanceof TLSSocket) socket.destroy();
    else socket?.resetAndDestroy();
  });
  answer.once("pause", onSlowClient);
  const reserve = new PassThrough({ writableHighWaterMark: ahead });
  if (socket !== null) boundUnsent(reserve, response, socket, unsentMs);
  pipeline(answer, reserve, response, () => undefined);
}

/** While only the client is waited for, it has less time than the console. */
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

/** What is about one connection, and not about the message (RFC 9110, 7.6.1). */
const ofConnection = /^(?:connection|keep-alive|transfer-encoding|upgrade|te|trailer|expect|http2-settings|proxy-.*)$/;
/** What `Connection` cannot take away: who sent a message, for whom, and how long it is. */
const ofMessage = /^(?:host|cookie|authorization|content-.*|x-forwarded-.*|forwarded)$/;

/** Names and values in turn, as Node gives and takes them: names as sent, the same name several times. */
type RawHeaders = readonly string[];

/** The headers of a message without those of the connection it came on, and without those that are named. */
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

/** Replaced by what the vehicle worker knows better. */
const ofVehicleWorker: ReadonlySet<string> = new Set([vehicleWorkerPeerHeader, "content-length"]);
const ofTracedVehicleWorker: ReadonlySet<string> = new Set([...ofVehicleWorker, "traceparent"]);
/** The methods after which Node announces a body of unknown length when none is given. */
const withBody: ReadonlySet<string> = new Set(["POST", "PUT", "PATCH"]);

/** The headers with which a request goes to the console (`processes.md` N3): without those of the connection. */
export function buildPassedRequestHeaders(
  request: IncomingMessage,
  length: number,
  traceparent: string | null = null,
): string[] {
  const { rawHeaders, headers, method = "", socket } = request;
  const passed = withoutConnection(
    rawHeaders,
    headers.connection,
    traceparent === null ? ofVehicleWorker : ofTracedVehicleWorker,
  );
  if (traceparent !== null) passed.push("traceparent", traceparent);
  // Old clients need not name a host; the version that is spoken with the console wants one.
  if (headers.host === undefined) passed.push("Host", "");
  if (length > 0 || headers["content-length"] !== undefined || withBody.has(method))
    passed.push("Content-Length", String(length));
  const address = socket.remoteAddress?.replace(/%.*$/, "") ?? "unknown";
  passed.push(vehicleWorkerPeerHeader, formatVehicleWorkerPeer({ address, isSecure: socket instanceof TLSSocket }));
  return passed;
}

const none: ReadonlySet<string> = new Set();

export function buildPassedAnswerHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  return withoutConnection(rawHeaders, headers.connection, none);
}

import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { formatVehicleWorkerPeer, vehicleWorkerPeerHeader } from "@/lib/platform/http/headers/worker-peer";

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

/**
 * The headers with which a request goes to the console (`processes.md` N3): as sent, without those of the connection,
 * with the body's length and the client's address.
 * @param traceparent of the worker's span; null: none
 */
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

/** The headers with which an answer of the console goes to the client. */
export function buildPassedAnswerHeaders({ rawHeaders, headers }: IncomingMessage): string[] {
  return withoutConnection(rawHeaders, headers.connection, none);
}

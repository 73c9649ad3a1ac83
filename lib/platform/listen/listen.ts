import http, { type RequestListener, type Server } from "node:http";
import https from "node:https";
import net from "node:net";
import { isTooLong } from "@/lib/platform/http/read/read-body";
import { bindPort, type BoundSocket, explainPort, type Place } from "@/lib/platform/listen/bind";
import {
  buildTlsOptions,
  readTlsPair,
  type TlsFiles,
  type TlsPair,
  watchTlsFiles,
} from "@/lib/platform/listen/tls-files";
import { followUnusedConnections } from "@/lib/platform/listen/unused-connections";

/** The sockets of a server. */
export interface Ports {
  readonly plain: BoundSocket;
  readonly secure: SecurePort | null;
}

export interface SecurePort extends Pick<TlsFiles, "legacyCiphers"> {
  readonly socket: BoundSocket;
  readonly pair: TlsPair;
  /** Calls back with every pair that takes the place of the one before; returns what ends it. */
  readonly onPair: (take: (pair: TlsPair) => void) => () => void;
}

export interface ListenOptions extends Place {
  readonly tls: (TlsFiles & { readonly port: number }) | null;
  /** How often to look whether the TLS files have changed, 10 s when not given. Milliseconds. */
  readonly lookEveryMs?: number;
}

/**
 * A sender gets this long for its headers and for its whole request, in milliseconds; slower ones are answered 408 and
 * cut off. Whoever receives a body counts its 10 s by itself (`processes.md` N8).
 */
const timeout = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
/** The same for the handshake of TLS, which comes before. */
const handshakeTimeout = 10_000;
/** The first byte of TLS. */
const handshake = 0x16;
/** A connection on which nothing moves for this long is closed, e.g. when a client stops reading its answer. */
const idleSocketMs = 70_000;

/**
 * Binds the ports of a process that nobody gives any, and follows the TLS files by itself.
 *
 * @throws Error with one sentence when a port is taken, not allowed, or a TLS file cannot be used
 */
export function bindPorts({ tls, lookEveryMs, ...place }: ListenOptions): Ports {
  if (tls === null) return { plain: bindPort(place), secure: null };
  const pair = readTlsPair(tls);
  const plain = bindPort(place);
  const socket = bindPort({ ...place, port: tls.port });
  const onPair = (take: (pair: TlsPair) => void) => watchTlsFiles(tls, take, lookEveryMs);
  return { plain, secure: { socket, pair, legacyCiphers: tls.legacyCiphers, onPair } };
}

/** `serve` on ports that are bound here. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Server[]> {
  return serve(handler, bindPorts(options));
}

/**
 * Answers plain HTTP and, where there is a port for it, HTTPS.
 *
 * @param onHandshake called when a client begins TLS on the plain port
 * @throws Error with one sentence when another process has opened a port before
 */
export async function serve(
  handler: RequestListener,
  { plain, secure }: Ports,
  onHandshake: () => void = () => undefined,
): Promise<Server[]> {
  const plainServer = http.createServer(timeout);
  plainServer.on("connection", (socket) => {
    socket.once("error", (error: Error & { readonly rawPacket?: Buffer }) => {
      if (error.rawPacket?.[0] === handshake) onHandshake();
    });
  });
  const servers: Server[] = [await open(plainServer, handler, plain)];
  if (secure) {
    const { pair, legacyCiphers, onPair } = secure;
    const server = https.createServer({ ...timeout, handshakeTimeout, ...buildTlsOptions(pair, legacyCiphers) });
    servers.push(await open(server, handler, secure.socket));
    const end = onPair((renewed) => server.setSecureContext(buildTlsOptions(renewed, legacyCiphers)));
    server.once("close", end);
  }
  return servers;
}

/** Closes the connections of a server on which nothing has come yet. */
const closeUnused = new WeakMap<Server, () => Promise<void>>();

function open<T extends Server>(server: T, handler: RequestListener, socket: BoundSocket): Promise<T> {
  server.setTimeout(idleSocketMs);
  closeUnused.set(server, followUnusedConnections(server));
  server.on("request", (request, response) => {
    // Node reads nothing after a request that offers an upgrade: the connection must not wait for more.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    handler(request, response);
  });
  server.on("checkContinue", (request, response) => {
    // Whoever asks before sending is told at once that a body is too long: handlers see it in the headers.
    if (isTooLong(request)) response.shouldKeepAlive = false;
    handler(request, response);
    if (!isTooLong(request) && !response.headersSent) response.writeContinue();
  });
  return new Promise((resolve, reject) => {
    server.once("error", (error: NodeJS.ErrnoException) => {
      const at: { port?: number } = {};
      socket.getsockname(at);
      reject(new Error(explainPort(error.code ?? error.message, at.port ?? 0), { cause: error }));
    });
    server.listen(socket, () => resolve(server));
  });
}

/**
 * Has a server take no more connections, and answer what comes on those that it has. Those that are idle stay open: a
 * request may be on its way on them.
 */
export function stopAccepting(servers: readonly Server[]): void {
  for (const server of servers) net.Server.prototype.close.call(server);
}

/**
 * Stops accepting, lets requests under way finish, and closes what is left after the deadline (`processes.md` N12).
 *
 * @param deadlineMs time for requests under way
 * @returns whether something was under way at the deadline and has been cut off
 */
export async function closeServers(servers: readonly Server[], deadlineMs: number): Promise<boolean> {
  let isForced = false;
  const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  for (const server of servers) void closeUnused.get(server)?.();
  // A kept-alive connection turns idle when its request is answered, at any moment from now on.
  const idle = setInterval(() => servers.forEach((server) => server.closeIdleConnections()), 50);
  const deadline = setTimeout(() => {
    isForced = true;
    servers.forEach((server) => server.closeAllConnections());
  }, deadlineMs);
  await closed;
  clearInterval(idle);
  clearTimeout(deadline);
  return isForced;
}

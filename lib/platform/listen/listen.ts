import http, { type RequestListener, type Server } from "node:http";
import https from "node:https";
import net from "node:net";
import { isTooLong } from "@/lib/platform/http/read/read-body";
import { type BoundSocket, explainPort } from "@/lib/platform/listen/bind";
import { buildTlsOptions, type TlsFiles, type TlsPair } from "@/lib/platform/listen/tls-files";
import { OpenConnections } from "@/lib/platform/listen/open-connections";

export interface Ports {
  readonly plain: BoundSocket;
  readonly secure: SecurePort | null;
}

export interface SecurePort extends Pick<TlsFiles, "legacyCiphers"> {
  readonly socket: BoundSocket;
  readonly pair: TlsPair;
  readonly onPair: (take: (pair: TlsPair) => void) => () => void;
}

/** Timeouts for headers and whole requests, in milliseconds; slower ones get 408. Bodies have 10 s (`processes.md` N8). */
const timeout = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
const handshakeTimeout = 10_000;
const handshake = 0x16;
/** A connection without traffic for this long is closed, e.g. if a client stops reading. */
const idleSocketMs = 70_000;

export interface ServeOptions {
  readonly onHandshake?: () => void;
  readonly connections?: OpenConnections;
}

export async function serve(
  handler: RequestListener,
  { plain, secure }: Ports,
  { onHandshake, connections = new OpenConnections() }: ServeOptions = {},
): Promise<Server[]> {
  const plainServer = http.createServer(timeout);
  plainServer.on("connection", (socket) => {
    socket.once("error", (error: Error & { readonly rawPacket?: Buffer }) => {
      if (error.rawPacket?.[0] === handshake) onHandshake?.();
    });
  });
  connections.follow(plainServer);
  const servers: Server[] = [await open(plainServer, handler, plain, connections)];
  if (secure) {
    const { pair, legacyCiphers, onPair } = secure;
    const server = https.createServer({ ...timeout, handshakeTimeout, ...buildTlsOptions(pair, legacyCiphers) });
    connections.follow(server, true);
    servers.push(await open(server, handler, secure.socket, connections));
    const end = onPair((renewed) => server.setSecureContext(buildTlsOptions(renewed, legacyCiphers)));
    server.once("close", end);
  }
  return servers;
}

const connectionsOf = new WeakMap<Server, OpenConnections>();

function open<T extends Server>(
  server: T,
  handler: RequestListener,
  socket: BoundSocket,
  connections: OpenConnections,
): Promise<T> {
  server.setTimeout(idleSocketMs);
  connectionsOf.set(server, connections);
  server.on("request", (request, response) => {
    connections.begin(request.socket, response);
    // Node reads nothing after a request that offers an upgrade, so the connection must close.
    if (request.headers.upgrade !== undefined) response.shouldKeepAlive = false;
    handler(request, response);
  });
  server.on("checkContinue", (request, response) => {
    connections.begin(request.socket, response);
    // With `Expect: 100-continue`, a body that is too long is refused at once: handlers see its length in the headers.
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
    server.listen(socket, () => {
      // A connection that cannot be accepted, e.g. without a free descriptor, must not end the process.
      server.on("error", () => undefined);
      resolve(server);
    });
  });
}

/** Accepts no more connections. Idle ones stay open, because a request may be on its way. */
export function stopAccepting(servers: readonly Server[]): void {
  for (const server of servers) net.Server.prototype.close.call(server);
}

/** Stops accepting, lets requests finish, cuts off the rest (`processes.md` N12). Resolves to whether it had to. */
export async function closeServers(servers: readonly Server[], deadlineMs: number): Promise<boolean> {
  let isForced = false;
  const closed = Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve()))));
  for (const server of servers) void connectionsOf.get(server)?.closeUnused();
  // A keep-alive connection becomes idle after its response, which may be at any time.
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

import http, { type RequestListener, type Server } from "node:http";
import https from "node:https";
import { isTooLong } from "@/lib/http/read/read-body";
import { readTlsOptions, type TlsFiles, watchTlsFiles } from "@/lib/listen/tls-files";
import { followUnusedConnections } from "@/lib/listen/unused-connections";

export interface ListenOptions {
  /** Null: every address of the host. */
  readonly address: string | null;
  readonly port: number;
  readonly tls: (TlsFiles & { readonly port: number }) | null;
  /** How often to look whether the TLS files have changed, 10 s when not given. Milliseconds. */
  readonly lookEveryMs?: number;
  /** What the settings are called, for who has to change them. */
  readonly names?: SettingNames;
}

interface SettingNames {
  readonly port: string;
  readonly address: string;
}
const usualNames: SettingNames = { port: "POLICY_SERVER_PORT", address: "LISTEN_ADDRESS" };

/**
 * A sender gets this long for its headers and for its whole request, in milliseconds; slower ones are answered 408 and
 * cut off. Whoever receives a body counts its 10 s by itself (`processes.md` N8).
 */
const patience = {
  headersTimeout: 10_000,
  requestTimeout: 20_000,
  connectionsCheckingInterval: 1_000,
  keepAliveTimeout: 65_000,
};
/** The same for the handshake of TLS, which comes before. */
const handshakeTimeout = 10_000;
/** A connection on which nothing moves for this long is closed, e.g. when a client stops reading its answer. */
const idleSocketMs = 70_000;

/**
 * Listens for plain HTTP and, when configured, for HTTPS.
 *
 * @throws Error with one sentence when a port is taken, not allowed, or a TLS file cannot be used
 */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Server[]> {
  const { port, address, names = usualNames } = options;
  const servers: Server[] = [await open(http.createServer(patience), handler, { port, address, names })];
  if (options.tls) {
    const secure = https.createServer({ ...patience, handshakeTimeout, ...readTlsOptions(options.tls) });
    servers.push(await open(secure, handler, { port: options.tls.port, address, names }));
    watchTlsFiles(secure, options.tls, options.lookEveryMs ?? 10_000);
  }
  return servers;
}

/** Closes the connections of a server on which nothing has come yet. */
const closeUnused = new WeakMap<Server, () => Promise<void>>();

function open<T extends Server>(
  server: T,
  handler: RequestListener,
  { port, address, names }: Required<Pick<ListenOptions, "port" | "address" | "names">>,
): Promise<T> {
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
    server.once("error", (error: NodeJS.ErrnoException) =>
      reject(new Error(explain(error, port, names), { cause: error })),
    );
    server.listen({ port, ...(address === null ? {} : { host: address }) }, () => resolve(server));
  });
}

function explain(error: NodeJS.ErrnoException, port: number, names: SettingNames): string {
  if (error.code === "EADDRINUSE") return `Port ${port} is taken by another process: set ${names.port} to a free one`;
  if (error.code === "EACCES") return `This user may not listen on port ${port}`;
  if (error.code === "EADDRNOTAVAIL") return `${names.address} is not an address of this machine`;
  return `Cannot listen on port ${port}: ${error.code ?? error.message}`;
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

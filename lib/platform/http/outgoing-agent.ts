import http, { type AgentOptions, Agent as HttpAgent, type ClientRequestArgs } from "node:http";
import https, { Agent as HttpsAgent, type RequestOptions } from "node:https";
import { isIP, isIPv6, type LookupFunction, Socket } from "node:net";
import type { Duplex } from "node:stream";
import { findProxy, proxyRefusal, readProxyAuthorization } from "@/lib/platform/http/outgoing-proxy";

const usualMs = 10_000;

type Done = (error: Error | null, stream: Duplex) => void;

export interface OutgoingOptions {
  readonly onConnection?: (socket: Socket) => void;
  /** Whether the proxy resolves names even if the request has a `lookup`. */
  readonly leavesNamesToProxy?: boolean;
}

/** Opens a tunnel if a proxy applies to the address. The proxy gets the address that `lookup` finds, not the name. */
export class OutgoingHttpAgent extends HttpAgent {
  readonly #outgoing: OutgoingOptions;

  constructor(options: AgentOptions = {}, outgoing: OutgoingOptions = {}) {
    super(options);
    this.#outgoing = outgoing;
  }

  override createConnection(options: ClientRequestArgs, done?: Done): Duplex | undefined {
    return connect("http:", options, this.#outgoing, done, (tunnel) => tunnel ?? super.createConnection(options));
  }
}

export class OutgoingHttpsAgent extends HttpsAgent {
  readonly #outgoing: OutgoingOptions;

  constructor(options: https.AgentOptions = {}, outgoing: OutgoingOptions = {}) {
    super(options);
    this.#outgoing = outgoing;
  }

  override createConnection(options: RequestOptions, done?: Done): Duplex | undefined {
    return connect("https:", options, this.#outgoing, done, (tunnel) =>
      super.createConnection(tunnel === undefined ? options : { ...options, ...{ socket: tunnel } }),
    );
  }
}

function connect(
  protocol: "http:" | "https:",
  options: ClientRequestArgs,
  { onConnection, leavesNamesToProxy = false }: OutgoingOptions,
  done: Done | undefined,
  make: (tunnel?: Socket) => Duplex | null | undefined,
): Duplex | undefined {
  const finish = (tunnel?: Socket): Socket => {
    const socket = make(tunnel);
    if (!(socket instanceof Socket)) throw new Error("An outgoing request has no connection");
    onConnection?.(socket);
    return socket;
  };
  const host = options.host ?? "localhost";
  const port = Number(options.port ?? (protocol === "https:" ? 443 : 80));
  const proxy = findProxy(new URL(`${protocol}//${authorityOf(host, port)}`));
  if (proxy === null) return finish();
  findTarget(host, leavesNamesToProxy ? undefined : options.lookup)
    .then((target) => openTunnel(proxy, authorityOf(target, port), options.timeout ?? usualMs))
    .then((tunnel) => done?.(null, finish(tunnel)))
    // The types also require a stream, which is not used.
    .catch((error: unknown) => done?.(error instanceof Error ? error : new Error("tunnel failed"), new Socket()));
  return undefined;
}

const authorityOf = (host: string, port: number) => `${isIPv6(host) ? `[${host}]` : host}:${port}`;

function findTarget(host: string, lookup: LookupFunction | undefined): Promise<string> {
  if (lookup === undefined || isIP(host) !== 0) return Promise.resolve(host);
  return new Promise((resolve, reject) => {
    lookup(host, {}, (error, address) => {
      if (error === null && typeof address === "string") resolve(address);
      else reject(error ?? new Error("lookup failed"));
    });
  });
}

function openTunnel(proxy: URL, authority: string, deadlineMs: number): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const token = readProxyAuthorization(proxy);
    const { request } = proxy.protocol === "https:" ? https : http;
    const asked = request({
      host: proxy.hostname.replace(/^\[(.*)\]$/, "$1"),
      ...(proxy.port === "" ? {} : { port: proxy.port }),
      method: "CONNECT",
      path: authority,
      headers: { Host: authority, ...(token === null ? {} : { "Proxy-Authorization": token }) },
      agent: false,
    });
    const late = () => void asked.destroy(proxyRefusal("The proxy did not connect in time", "ETIMEDOUT"));
    const timer = setTimeout(late, deadlineMs);
    asked.once("close", () => clearTimeout(timer));
    asked.once("error", reject);
    asked.once("connect", ({ statusCode = 0 }, socket, head) => {
      clearTimeout(timer);
      if (statusCode >= 200 && statusCode <= 299 && socket instanceof Socket) {
        if (head.length > 0) socket.unshift(head);
        resolve(socket);
      } else {
        socket.destroy();
        reject(proxyRefusal(`The proxy refused the connection with status ${statusCode}`));
      }
    });
    asked.end();
  });
}

import type { IncomingMessage, ServerResponse } from "node:http";
import { browserHeaders, ownSiteOnly, securityHeaders } from "@/lib/platform/http/headers/security-headers";
import { isApiPath, pathOf } from "@/lib/platform/http/api-path";
import type { Settings } from "@/lib/platform/settings";
import { TLSSocket } from "node:tls";
import {
  believeClientHeaders,
  clientAddressHeader,
  createClientFinder,
  pickHop,
  type Proxies,
} from "@/lib/platform/http/read/client-address";
import {
  parseVehicleWorkerPeer,
  type VehicleWorkerPeer,
  vehicleWorkerPeerHeader,
} from "@/lib/platform/http/headers/worker-peer";

type Needed = Pick<Settings, "trustProxyAddresses" | "authUserHeader" | "authRolesHeader" | "tls">;

/**
 * Prepares a request for Next: client address, bodies of GET, and security headers, which depend on TLS. Drops user
 * name and groups headers unless a trusted proxy sent them. Repeated ones, joined with a comma, are unusable: the proxy
 * has added its own to the client's. Returns whether a worker knows the caller; true without workers.
 */
export function prepareForNext(
  { authUserHeader, authRolesHeader, tls, ...proxies }: Needed,
  isBehindVehicleWorkers = false,
): (request: IncomingMessage, response: ServerResponse) => boolean {
  const writeClientHeaders = createClientHeaders(proxies, isBehindVehicleWorkers);
  const [plain, secure] = [securityHeaders(tls !== null), securityHeaders(true)].map((one) => Object.entries(one));
  const proxyHeaders = [authUserHeader, authRolesHeader].filter((header) => header !== null);
  const onPages = Object.entries({ ...browserHeaders, ...ownSiteOnly });
  return (request, response) => {
    const { isFromProxy, isKnown } = writeClientHeaders(request);
    for (const header of proxyHeaders) {
      const values = isFromProxy ? request.headersDistinct[header] : undefined;
      if (values === undefined) Reflect.deleteProperty(request.headers, header);
      else request.headers[header] = values.join(", ");
    }
    acceptBodyOfGet(request);
    // A trusted proxy may use TLS even if this server does not.
    const isSecure = request.headers["x-forwarded-proto"] === "https";
    for (const [name, value] of (isSecure ? secure : plain) ?? []) response.setHeader(name, value);
    // Routes set these themselves, or allow other sites.
    if (!isApiPath(pathOf(request))) for (const [name, value] of onPages) response.setHeader(name, value);
    return isKnown;
  };
}

const certificateRoute = /^\/api\/v?1\/applications\/certificate\/get\/?(?:\?|$)/;

/** Allows `GET applications/certificate/get` with a body (`api.md` 6.1). Next allows none on GET, so it becomes POST. */
export function acceptBodyOfGet(request: Pick<IncomingMessage, "method" | "url" | "headers">): void {
  if (request.method !== "GET" || !certificateRoute.test(request.url ?? "")) return;
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding !== undefined || Number(length ?? 0) > 0) request.method = "POST";
}

/**
 * Replaces the client's own `x-client-address`, `x-forwarded-proto` and `x-forwarded-host` before Next sees them. The
 * host is set only if a trusted proxy sent it.
 */
export function createClientHeaders(
  trusted: Proxies,
  isBehindVehicleWorkers = false,
): (request: Pick<IncomingMessage, "headers" | "socket">) => {
  readonly isFromProxy: boolean;
  readonly isKnown: boolean;
} {
  believeClientHeaders();
  const findClient = createClientFinder(trusted);
  return (request) => {
    const { headers } = request;
    const read = (name: string) => [headers[name]].flat().join(",") || null;
    const {
      address: peer,
      isSecure,
      isKnown,
    } = isBehindVehicleWorkers ? peerOfVehicleWorker(read(vehicleWorkerPeerHeader)) : peerOfSocket(request);
    Reflect.deleteProperty(headers, vehicleWorkerPeerHeader);
    const { address, proxies } = findClient(headers["x-forwarded-for"], peer);
    const host = pickHop(read("x-forwarded-host"), proxies);
    const protocol = isSecure ? "https" : "http";
    headers[clientAddressHeader] = address;
    headers["x-forwarded-proto"] = /^https?$/.exec(pickHop(read("x-forwarded-proto"), proxies) ?? "")?.[0] ?? protocol;
    delete headers["x-forwarded-host"];
    if (host !== null) headers["x-forwarded-host"] = host;
    delete headers["x-forwarded-for"];
    delete headers["x-forwarded-port"];
    // With a build's key, which everybody who has the package knows, Next would leave out `proxy.ts`.
    delete headers["x-prerender-revalidate"];
    return { isFromProxy: proxies > 0, isKnown };
  };
}

/** Other clients of the inner socket, such as a probe, have no address. */
function peerOfVehicleWorker(value: string | null): VehicleWorkerPeer {
  return parseVehicleWorkerPeer(value ?? "") ?? { address: "unknown", isSecure: false, isKnown: false };
}

function peerOfSocket({ socket }: Pick<IncomingMessage, "socket">): VehicleWorkerPeer {
  return { address: socket.remoteAddress ?? "unknown", isSecure: socket instanceof TLSSocket, isKnown: true };
}

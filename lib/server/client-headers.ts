import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import {
  believeClientHeaders,
  clientAddressHeader,
  pickClientAddress,
  pickHop,
} from "@/lib/platform/http/read/client-address";
import { createProxyCount, type Proxies } from "@/lib/platform/http/read/trusted-proxies";
import {
  type VehicleWorkerPeer,
  vehicleWorkerPeerHeader,
  parseVehicleWorkerPeer,
} from "@/lib/platform/http/headers/worker-peer";

/**
 * Makes the function that writes into a request who sent it, before Next sees it: `x-client-address`,
 * `x-forwarded-proto` (`https` or `http`), and `x-forwarded-host` only if a trusted proxy set it. What clients say
 * under these names is dropped.
 * @param isBehindLanes whether vehicle API workers tell the peer (`processes.md` N3); else it is the connection's
 * @returns the function; it tells whether the request came from a trusted proxy
 */
export function createClientHeaders(
  trusted: Proxies,
  isBehindVehicleWorkers = false,
): (request: Pick<IncomingMessage, "headers" | "socket">) => boolean {
  believeClientHeaders();
  const countProxies = createProxyCount(trusted);
  return (request) => {
    const { headers } = request;
    const read = (name: string) => [headers[name]].flat().join(",") || null;
    const { address, isSecure } = isBehindVehicleWorkers
      ? peerOfVehicleWorker(read(vehicleWorkerPeerHeader))
      : peerOfSocket(request);
    Reflect.deleteProperty(headers, vehicleWorkerPeerHeader);
    const forwarded = read("x-forwarded-for");
    const proxies = countProxies(forwarded, address);
    const host = pickHop(read("x-forwarded-host"), proxies);
    const protocol = isSecure ? "https" : "http";
    headers[clientAddressHeader] = pickClientAddress(forwarded, address, proxies);
    headers["x-forwarded-proto"] = /^https?$/.exec(pickHop(read("x-forwarded-proto"), proxies) ?? "")?.[0] ?? protocol;
    delete headers["x-forwarded-host"];
    if (host !== null) headers["x-forwarded-host"] = host;
    delete headers["x-forwarded-for"];
    delete headers["x-forwarded-port"];
    return proxies > 0;
  };
}

/** Whoever reaches the inner socket without a vehicle worker, such as a probe, is nobody in particular. */
function peerOfVehicleWorker(value: string | null): VehicleWorkerPeer {
  return parseVehicleWorkerPeer(value ?? "") ?? { address: "unknown", isSecure: false };
}

function peerOfSocket({ socket }: Pick<IncomingMessage, "socket">): VehicleWorkerPeer {
  return { address: socket.remoteAddress ?? "unknown", isSecure: socket instanceof TLSSocket };
}

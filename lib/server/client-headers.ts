import type { IncomingMessage } from "node:http";
import { TLSSocket } from "node:tls";
import { believeClientHeaders, clientAddressHeader, pickClientAddress, pickHop } from "@/lib/auth/client-address";

/**
 * Makes the function that writes into a request who sent it and how, before Next sees it: what a client says of itself
 * under these names is dropped, what `trustProxy` proxies say is kept.
 *
 * After it `x-client-address` is the client's address, `x-forwarded-proto` is `https` or `http`, and `x-forwarded-host`
 * is there only when a trusted proxy set it.
 */
export function createClientHeaders(trustProxy: number): (request: IncomingMessage) => void {
  believeClientHeaders();
  return ({ headers, socket }) => {
    const address = socket.remoteAddress ?? "unknown";
    const protocol = socket instanceof TLSSocket ? "https" : "http";
    const read = (name: string) => [headers[name]].flat().join(",") || null;
    const host = pickHop(read("x-forwarded-host"), trustProxy);
    headers[clientAddressHeader] = pickClientAddress(read("x-forwarded-for"), address, trustProxy);
    headers["x-forwarded-proto"] =
      /^https?$/.exec(pickHop(read("x-forwarded-proto"), trustProxy) ?? "")?.[0] ?? protocol;
    delete headers["x-forwarded-host"];
    if (host !== null) headers["x-forwarded-host"] = host;
    delete headers["x-forwarded-for"];
    delete headers["x-forwarded-port"];
  };
}

import type { IncomingMessage } from "node:http";
import { pickClientAddress } from "@/lib/http/read/client-address";
import { networkOf } from "@/lib/http/read/network-of";
import { createProxyCount, type Proxies } from "@/lib/http/read/trusted-proxies";

/**
 * Makes the function that tells the clients of a lane apart: by the address of the connection, behind trusted proxies by the
 * forwarded one (`processes.md` N8). IPv6 clients count by their /64.
 */
export function createClientOf(proxies: Proxies): (request: IncomingMessage) => string {
  const countProxies = createProxyCount(proxies);
  const isDirect = proxies.trustProxy === 0 && proxies.trustProxyAddresses.length === 0;
  return ({ headers, socket }) => {
    const address = socket.remoteAddress ?? "unknown";
    const forwarded = isDirect ? undefined : headers["x-forwarded-for"];
    if (forwarded === undefined) return clientOf(address);
    const list = [forwarded].flat().join(",");
    return clientOf(pickClientAddress(list, address, countProxies(list, address)));
  };
}

/** An IPv4 address is its own client, also in the form that a socket for both families gives it. */
function clientOf(address: string): string {
  return address.includes(":") && !address.startsWith("::ffff:") ? networkOf(address) : address;
}

/** Counts what each client has under way. */
export class PerClient {
  readonly #most: number;
  readonly #counts = new Map<string, { underWay: number }>();

  /** @param most under way for one client; 0: no limit */
  constructor(most: number) {
    this.#most = most;
  }

  /** Clients with something under way. */
  get clients(): number {
    return this.#counts.size;
  }

  /** @returns whether the client may have one more; `leave` is to be called only then */
  enter(client: string): boolean {
    const count = this.#counts.get(client);
    if (count === undefined) this.#counts.set(client, { underWay: 1 });
    else if (this.#most > 0 && count.underWay >= this.#most) return false;
    else count.underWay++;
    return true;
  }

  leave(client: string): void {
    const count = this.#counts.get(client);
    if (count !== undefined && --count.underWay === 0) this.#counts.delete(client);
  }
}

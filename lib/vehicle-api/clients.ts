import type { IncomingMessage } from "node:http";
import type { Logger } from "pino";
import { pickClientAddress } from "@/lib/platform/http/read/client-address";
import { networkOf } from "@/lib/platform/http/read/network-of";
import { createProxyCount, type Proxies } from "@/lib/platform/http/read/trusted-proxies";
import { log } from "@/lib/platform/log";

/** Between two lines about an undeclared proxy, in milliseconds. */
const warnEveryMs = 600_000;

/**
 * Tells clients apart by address, behind declared proxies by the forwarded one, IPv6 by /64 (`processes.md` N8). Warns
 * of undeclared proxies: all vehicles behind one count as one client.
 */
export class Clients {
  readonly #countProxies: ReturnType<typeof createProxyCount>;
  readonly #log: Pick<Logger, "warn">;
  #warnedAt = -Infinity;
  #undeclared = 0;

  /** @param logger for the warnings; the log of the process by default */
  constructor(proxies: Proxies, logger: Pick<Logger, "warn"> = log) {
    this.#countProxies = createProxyCount(proxies);
    this.#log = logger;
  }

  /** Requests with `X-Forwarded-For` from senders that are not declared proxies. */
  get undeclared(): number {
    return this.#undeclared;
  }

  /** @param now the present time as `performance.now()` tells it */
  clientOf({ headers, socket }: IncomingMessage, now: number): string {
    const address = socket.remoteAddress ?? "unknown";
    const forwarded = headers["x-forwarded-for"];
    if (forwarded === undefined) return withoutHost(address);
    const list = [forwarded].flat().join(",");
    const proxies = this.#countProxies(list, address);
    if (proxies === 0) this.#observeUndeclared(address, now);
    return withoutHost(pickClientAddress(list, address, proxies));
  }

  #observeUndeclared(address: string, now: number): void {
    this.#undeclared++;
    if (now - this.#warnedAt < warnEveryMs) return;
    this.#warnedAt = now;
    this.#log.warn(
      { address },
      "X-Forwarded-For comes from an address that is not a declared proxy, so all vehicles behind it count as one client: " +
        "if it is your proxy, add it to TRUST_PROXY_ADDRESSES",
    );
  }
}

/** An IPv4 address is its own client, also in the form that a socket for both families gives it. */
function withoutHost(address: string): string {
  return address.includes(":") && !address.startsWith("::ffff:") ? networkOf(address) : address;
}

import { BlockList, isIPv6 } from "node:net";

/**
 * Makes the check whether an address is that of a proxy to be believed.
 *
 * @param networks addresses and networks in CIDR notation (`TRUST_PROXY_ADDRESSES`)
 */
export function createProxyCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    // A socket for both families gives IPv4 addresses in this form.
    const plain = address.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");
    return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
}

/**
 * How many proxies a request came through that are to be believed: the sender of the connection, and from the right of
 * `X-Forwarded-For`, to which each proxy appends the address it was called from, those before it.
 *
 * @returns 0 when the sender is none of them: then nothing is believed
 */
export function countTrustedProxies(
  forwarded: string | null,
  socketAddress: string,
  isProxy: (address: string) => boolean,
): number {
  if (!isProxy(socketAddress)) return 0;
  const entries = (forwarded ?? "").split(",").reverse();
  const end = entries.findIndex((entry) => !isProxy(readAddress(entry)));
  return 1 + (end === -1 ? entries.length : end);
}

/** An entry of `X-Forwarded-For` without the port that some proxies write. */
export function readAddress(entry: string): string {
  return entry.trim().replace(/^\[(.*)\](:\d+)?$|^([\d.]+):\d+$/, "$1$3");
}

import { BlockList, isIPv6 } from "node:net";

/** The proxies in front, as the settings name them. */
export interface Proxies {
  /** How many there are (`TRUST_PROXY`); counts only where their addresses are not known. */
  readonly trustProxy: number;
  /** Their addresses and networks in CIDR notation (`TRUST_PROXY_ADDRESSES`). */
  readonly trustProxyAddresses: readonly string[];
}

/**
 * Makes the function that counts believable proxies (`settings.md`, `TRUST_PROXY`, `TRUST_PROXY_ADDRESSES`): by their
 * addresses, else by the number given. 0: nothing the request says of its way is believed.
 */
export function createProxyCount({
  trustProxy,
  trustProxyAddresses,
}: Proxies): (forwarded: string | null, socketAddress: string) => number {
  if (trustProxyAddresses.length === 0) return () => trustProxy;
  const isProxy = createProxyCheck(trustProxyAddresses);
  return (forwarded, socketAddress) => countTrustedProxies(forwarded, socketAddress, isProxy);
}

/** Makes the check whether an address is one of those, or in one of the networks. */
function createProxyCheck(networks: readonly string[]): (address: string) => boolean {
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

/** Counts trusted proxies: the sender, then `X-Forwarded-For` from the right. 0: the sender is none. */
function countTrustedProxies(
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

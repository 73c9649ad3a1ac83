"one per process";

import { BlockList, isIP, isIPv6 } from "node:net";

/** Header in which the server entry writes the client's address. It overwrites one that a client sends. */
export const clientAddressHeader = "x-client-address";

let areBelieved = false;

/** Declares that every request of this process passes the server entry: only then is the header above trusted. */
export function believeClientHeaders(isBelieved = true): void {
  areBelieved = isBelieved;
}

/** Whether the server entry writes the forwarding headers. Otherwise the client may have made them up. */
export function areClientHeadersBelieved(): boolean {
  return areBelieved;
}

/** The client's address, for counting failed logins. Without server entry, all clients count as one. */
export function findClientAddress(headers: Headers): string {
  return (areClientHeadersBelieved() ? headers.get(clientAddressHeader) : null) ?? "unknown";
}

/** The client's address behind this number of proxies. Each appends its sender's address; clients can forge earlier ones. */
export function pickClientAddress(forwarded: string | null, socketAddress: string, proxies: number): string {
  const entry = pickHop(forwarded, proxies);
  if (entry === null) return socketAddress;
  const address = readAddress(entry);
  return isIP(address) ? address : socketAddress;
}

/** The entry of a forwarding header that the outermost trusted proxy wrote; null: no proxy is trusted. */
export function pickHop(header: string | null, proxies: number): string | null {
  if (proxies === 0 || header === null || header.trim() === "") return null;
  const entries = header.split(",").map((entry) => entry.trim());
  return entries[Math.max(0, entries.length - proxies)] ?? null;
}

export interface Proxies {
  readonly trustProxyAddresses: readonly string[];
}

/** Returns a function that counts trusted proxies. 0: trust none. */
export function createProxyCount({
  trustProxyAddresses,
}: Proxies): (forwarded: string | null, socketAddress: string) => number {
  if (trustProxyAddresses.length === 0) return () => 0;
  const isProxy = createProxyCheck(trustProxyAddresses);
  return (forwarded, socketAddress) => countTrustedProxies(forwarded, socketAddress, isProxy);
}

/** Returns a function that finds a request's client: its address, and the number of trusted proxies before it. */
export function createClientFinder(
  trusted: Proxies,
): (
  forwarded: string | readonly string[] | undefined,
  peer: string,
) => { readonly address: string; readonly proxies: number } {
  const countProxies = createProxyCount(trusted);
  return (forwarded, peer) => {
    const list = [forwarded ?? []].flat().join(",") || null;
    const proxies = countProxies(list, peer);
    return { address: pickClientAddress(list, peer, proxies), proxies };
  };
}

function createProxyCheck(networks: readonly string[]): (address: string) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = "", prefix] = network.split("/");
    const family = isIPv6(address) ? "ipv6" : "ipv4";
    if (prefix === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(prefix), family);
  }
  return (address) => {
    const plain = plainAddress(address);
    return list.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
  };
}

/** A dual-stack socket writes IPv4 addresses in IPv6 form, and some addresses include an interface. */
function plainAddress(address: string): string {
  const [plain = ""] = address.replace(/^::ffff:(?=[\d.]+$)/i, "").split("%", 1);
  return plain;
}

/** Counts trusted proxies: the sender, then `X-Forwarded-For` from the right. 0: the sender is not a proxy. */
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

/** The network that counts as one client: an IPv4 address or IPv6 /64; with 48 `bits` a site, with 24 `bits4` a /24. */
export function networkOf(address: string, bits: 48 | 64 = 64, bits4: 24 | 32 = 32): string {
  const text = plainAddress(address);
  if (!isIPv6(text)) return bits4 === 24 && isIP(text) ? `${text.slice(0, text.lastIndexOf("."))}.0/24` : text;
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - groups.length - last.length }, () => "0");
  return `${[...groups, ...zeros, ...last].slice(0, bits / 16).join(":")}::/${bits}`;
}

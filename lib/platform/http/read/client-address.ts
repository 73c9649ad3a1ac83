import { BlockList, isIP, isIPv6 } from "node:net";
import { loadSettings } from "@/lib/platform/settings";
import { processGlobal } from "@/lib/platform/process-globals";

/** Where the server entry writes the client's address. It overwrites what a client sends under this name. */
export const clientAddressHeader = "x-client-address";

const shared = processGlobal("client-headers", () => ({ areBelieved: false }));

/** Says that every request of this process passes the server entry: only then is the header above believed. */
export function believeClientHeaders(isBelieved = true): void {
  shared.areBelieved = isBelieved;
}

/** Whether the server entry writes the headers about a request's way here; elsewhere its sender may have made them up. */
export function areClientHeadersBelieved(): boolean {
  return shared.areBelieved;
}

/** The client's address, for counting failed logins. Without the server entry and proxies all clients count as one. */
export function findClientAddress(headers: Headers): string {
  if (areClientHeadersBelieved()) return headers.get(clientAddressHeader) ?? "unknown";
  return pickClientAddress(headers.get("x-forwarded-for"), "unknown", loadSettings().trustProxy);
}

/** The client's address behind `trustProxy` proxies: each appends the address it was called from; the left is made up. */
export function pickClientAddress(forwarded: string | null, socketAddress: string, trustProxy: number): string {
  const entry = pickHop(forwarded, trustProxy);
  if (entry === null) return socketAddress;
  const address = readAddress(entry);
  return isIP(address) ? address : socketAddress;
}

/** The entry of a forwarding header that the outermost trusted proxy wrote; null when no proxy is to be believed. */
export function pickHop(header: string | null, trustProxy: number): string | null {
  if (trustProxy === 0 || header === null || header.trim() === "") return null;
  const entries = header.split(",").map((entry) => entry.trim());
  return entries[Math.max(0, entries.length - trustProxy)] ?? null;
}

export interface Proxies {
  /** How many there are (`TRUST_PROXY`); counts only where their addresses are not known. */
  readonly trustProxy: number;
  /** Their addresses and networks in CIDR notation (`TRUST_PROXY_ADDRESSES`). */
  readonly trustProxyAddresses: readonly string[];
}

/** Makes the function that counts believable proxies: by their addresses, else by the number given. 0: believe nothing. */
export function createProxyCount({
  trustProxy,
  trustProxyAddresses,
}: Proxies): (forwarded: string | null, socketAddress: string) => number {
  if (trustProxyAddresses.length === 0) return () => trustProxy;
  const isProxy = createProxyCheck(trustProxyAddresses);
  return (forwarded, socketAddress) => countTrustedProxies(forwarded, socketAddress, isProxy);
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

/** A socket for both families gives IPv4 addresses a form of its own; some addresses name an interface as well. */
const plainAddress = (address: string) => address.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");

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

/** What counts as one client: an IPv4 address, or an IPv6 /64; with 48 `bits`, a provider's customer. */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  const text = plainAddress(address);
  if (!isIPv6(text)) return text;
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - groups.length - last.length }, () => "0");
  return `${[...groups, ...zeros, ...last].slice(0, bits / 16).join(":")}::/${bits}`;
}

import { isIPv6 } from "node:net";

/**
 * What counts as one client: an IPv4 address, or the /64 that an IPv6 client owns as a whole; it would otherwise have a new
 * address for every request.
 *
 * @param bits of an IPv6 address; a customer of a provider owns a /48 with 65,536 of these networks
 */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  const text = address.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");
  if (!isIPv6(text)) return text;
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - groups.length - last.length }, () => "0");
  return `${[...groups, ...zeros, ...last].slice(0, bits / 16).join(":")}::/${bits}`;
}

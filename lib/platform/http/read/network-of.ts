import { isIPv6 } from "node:net";

/** What counts as one client: an IPv4 address, or an IPv6 /64; with 48 `bits`, a provider's customer. */
export function networkOf(address: string, bits: 48 | 64 = 64): string {
  const text = address.replace(/^::ffff:(?=[\d.]+$)/i, "").replace(/%.*$/, "");
  if (!isIPv6(text)) return text;
  const [head = "", tail] = new URL(`http://[${text}]`).hostname.slice(1, -1).split("::");
  const groups = head === "" ? [] : head.split(":");
  const last = tail === undefined || tail === "" ? [] : tail.split(":");
  const zeros = Array.from({ length: 8 - groups.length - last.length }, () => "0");
  return `${[...groups, ...zeros, ...last].slice(0, bits / 16).join(":")}::/${bits}`;
}

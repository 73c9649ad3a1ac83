import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

const wellKnownNat64 = ipaddr.parseCIDR("64:ff9b::/96");
const globalUnicast = ipaddr.parseCIDR("2000::/3");

/** Public by their number, but within a provider's network they answer every machine with what only it should know. */
const metadataAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Whether an IP address belongs to the public Internet: not private, loopback, link-local, multicast, reserved, shared,
 * a provider's metadata service, nor a way around that (IPv4 inside IPv6, tunnels). What cannot be read is not public.
 */
export function isPublicAddress(text: string): boolean {
  // Stricter than the library, which takes shortened forms too.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv6 ? isPublicIpv6(address) : isPublicIpv4(address);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !metadataAddresses.has(address.toString());
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  // In a network without IPv4 this is how every IPv4 host is reached; what counts is the address in its last 32 bits.
  if (address.match(wellKnownNat64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.range() === "unicast" && address.match(globalUnicast);
}

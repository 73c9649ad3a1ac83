import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { BundleError, type Network } from "@/lib/apps/bundles/handler";
import ipaddr from "ipaddr.js";

/**
 * The network as it is.
 *
 * @param allowPrivate also private and loopback addresses (`BUNDLE_ALLOW_PRIVATE`)
 */
export function realNetwork(allowPrivate: boolean): Network {
  return {
    resolve: (host) =>
      new Promise((resolve, reject) => {
        lookup(host, { all: true }, (error, addresses) => {
          if (error === null) resolve(addresses);
          else reject(error);
        });
      }),
    isAllowed: (address) => allowPrivate || isPublicAddress(address),
    isOpen: allowPrivate,
  };
}

/**
 * The `lookup` of a connection that finds only addresses that are allowed. Node.js connects to what it answers and asks
 * nobody else, so between check and connection there is no time in which a name could get another address.
 */
export function guardedLookup(network: Network): LookupFunction {
  return (host, options, answer) => {
    findAllowed(network, host).then(
      (addresses) => {
        const [first] = addresses;
        if (options.all === true) answer(null, [...addresses]);
        else answer(null, first.address, first.family);
      },
      (error: unknown) => answer(error instanceof Error ? error : new Error("lookup failed"), "", 0),
    );
  };
}

async function findAllowed(
  network: Network,
  host: string,
): Promise<readonly [LookupAddress, ...(readonly LookupAddress[])]> {
  const [first, ...others] = (await network.resolve(host)).filter(({ address }) => network.isAllowed(address));
  if (first === undefined) throw refusal(host);
  return [first, ...others];
}

/** An address in place of a host name is connected to without a lookup. Throws a BundleError when it is not allowed. */
export function requireAllowedLiteral(network: Network, { hostname }: URL): void {
  const host = hostname.replace(/^\[|\]$/g, "");
  if (isIP(host) !== 0 && !network.isAllowed(host)) throw refusal(host);
}

function refusal(host: string): BundleError {
  return new BundleError(
    `The host ${host} has no public address; private ones are asked only with BUNDLE_ALLOW_PRIVATE=true`,
  );
}

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

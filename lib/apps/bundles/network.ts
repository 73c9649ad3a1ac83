import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { BundleError, type Network } from "@/lib/apps/bundles/handler";
import ipaddr from "ipaddr.js";

/** `allowPrivate` also allows private and loopback addresses (`BUNDLE_ALLOW_PRIVATE`). */
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

/** Node.js connects to exactly the addresses checked here, so a name cannot change its address in between. */
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

/** IP addresses in a URL are connected to without a lookup. Throws a BundleError if the address is not allowed. */
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

/** Public addresses by number, but within a cloud provider's network they give every machine confidential data. */
const metadataAddresses: ReadonlySet<string> = new Set(["168.63.129.16"]);

/**
 * Whether an IP address belongs to the public Internet: not private, loopback, link-local, multicast, reserved or
 * shared, not a provider's metadata service, and not a detour to one (IPv4 inside IPv6, tunnels). Invalid ones are not
 * public.
 */
export function isPublicAddress(text: string): boolean {
  // Stricter than the library, which also accepts shortened forms.
  if (isIP(text) === 0) return false;
  const address = ipaddr.parse(text);
  return address instanceof ipaddr.IPv6 ? isPublicIpv6(address) : isPublicIpv4(address);
}

function isPublicIpv4(address: ipaddr.IPv4): boolean {
  return address.range() === "unicast" && !metadataAddresses.has(address.toString());
}

function isPublicIpv6(address: ipaddr.IPv6): boolean {
  if (address.isIPv4MappedAddress()) return isPublicIpv4(address.toIPv4Address());
  // Networks without IPv4 reach every IPv4 host this way, so check the IPv4 address in the last 32 bits.
  if (address.match(wellKnownNat64)) return isPublicIpv4(new ipaddr.IPv4(address.toByteArray().slice(12)));
  return address.range() === "unicast" && address.match(globalUnicast);
}

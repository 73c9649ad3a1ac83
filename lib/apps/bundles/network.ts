import { lookup, type LookupAddress } from "node:dns";
import { isIP, type LookupFunction } from "node:net";
import { isPublicAddress } from "@/lib/apps/bundles/addresses";
import { BundleError, type Network } from "@/lib/apps/bundles/handler";

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

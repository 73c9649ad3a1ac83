import { isIP } from "node:net";

/** Where a lane writes, for the console alone, who sent the request that it passes on and how. */
export const lanePeerHeader = "x-lane-peer";

/** The other end of the connection on which a request came. */
export interface LanePeer {
  readonly address: string;
  /** Whether it came over TLS. */
  readonly isSecure: boolean;
}

/** The value of the header: `<address> <http|https>` (`processes.md` N3). */
export function formatLanePeer({ address, isSecure }: LanePeer): string {
  return `${address} ${isSecure ? "https" : "http"}`;
}

/** Reads the value back; null for anything that a lane does not write, such as two values in one. */
export function parseLanePeer(value: string): LanePeer | null {
  const [address = "", protocol, ...more] = value.split(" ");
  if (isIP(address) === 0 || more.length > 0 || (protocol !== "http" && protocol !== "https")) return null;
  return { address, isSecure: protocol === "https" };
}

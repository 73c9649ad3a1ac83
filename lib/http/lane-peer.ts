import { isIP } from "node:net";

/**
 * Under this name a lane tells the console who sent a request that it passes on, and how (`processes.md` N3). Only the
 * console's own socket believes it; what a client sends under this name is dropped by the lane.
 */
export const lanePeerHeader = "x-lane-peer";

/** The other end of a client's connection. */
export interface LanePeer {
  /** IP address, or `unknown` when the connection was gone already. */
  readonly address: string;
  readonly protocol: "http" | "https";
}

/** Writes the value of the header: `<address> <http|https>`. */
export function formatLanePeer({ address, protocol }: LanePeer): string {
  return `${address} ${protocol}`;
}

/** Reads a value of the header; null for everything that `formatLanePeer` does not write. */
export function parseLanePeer(value: string): LanePeer | null {
  const [address = "", protocol, more] = value.split(" ");
  if (more !== undefined || (protocol !== "http" && protocol !== "https")) return null;
  return isIP(address) !== 0 || address === "unknown" ? { address, protocol } : null;
}

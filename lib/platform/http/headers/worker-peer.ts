import { isIP } from "node:net";

/** Header in which a worker names the sender of a request (`processes.md` N3). Trusted on the inner socket only. */
export const vehicleWorkerPeerHeader = "x-vehicle-worker-peer";

export interface VehicleWorkerPeer {
  /** IP address, or `unknown` if the connection had already closed. */
  readonly address: string;
  readonly isSecure: boolean;
  readonly isKnown: boolean;
}

/** The value of the header: `<address> <http|https>[ known]`. */
export function formatVehicleWorkerPeer({ address, isSecure, isKnown }: VehicleWorkerPeer): string {
  return `${address} ${isSecure ? "https" : "http"}${isKnown ? " known" : ""}`;
}

/** Parses the header; null for anything that `formatVehicleWorkerPeer` does not write, e.g. two values in one. */
export function parseVehicleWorkerPeer(value: string): VehicleWorkerPeer | null {
  const [address = "", protocol, caller, ...more] = value.split(" ");
  if ((isIP(address) === 0 && address !== "unknown") || more.length > 0) return null;
  if ((protocol !== "http" && protocol !== "https") || (caller !== undefined && caller !== "known")) return null;
  return { address, isSecure: protocol === "https", isKnown: caller === "known" };
}

import { isIP } from "node:net";
import { readAddress } from "@/lib/platform/http/read/trusted-proxies";
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

/**
 * The client's address behind `trustProxy` proxies. Each appends the address it was called from: entries at the right
 * are trusted, those further left may be made up.
 */
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

import type { Ports } from "@/lib/platform/listen/listen";
import { onMain, whenMain, whenSocket } from "@/lib/platform/process/channel";
import type { Settings } from "@/lib/platform/settings";

/** Waits for the sockets that `main` holds, and for what it has read of the TLS files (`processes.md` N1). */
export async function receivePorts(tls: Pick<NonNullable<Settings["tls"]>, "legacyCiphers"> | null): Promise<Ports> {
  const plain = await whenSocket("port");
  if (tls === null) return { plain, secure: null };
  const socket = await whenSocket("securePort");
  const { pair } = await whenMain("tls");
  const { legacyCiphers } = tls;
  return { plain, secure: { socket, pair, legacyCiphers, onPair: (take) => onMain("tls", (told) => take(told.pair)) } };
}

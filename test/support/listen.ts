import type { RequestListener, Server } from "node:http";
import { bindPort, type Place } from "@/lib/platform/listen/bind";
import { type Ports, serve } from "@/lib/platform/listen/listen";
import { readTlsPair, type TlsFiles, type TlsPair, watchTlsFiles } from "@/lib/platform/listen/tls-files";

export interface ListenOptions extends Place {
  readonly tls: (TlsFiles & { readonly port: number }) | null;
  /** How often to check whether the TLS files have changed. */
  readonly lookEveryMs?: number;
}

/** Binds ports without a `main`, and watches the TLS files itself. */
export function bindPorts({ tls, lookEveryMs, ...place }: ListenOptions): Ports {
  if (tls === null) return { plain: bindPort(place), secure: null };
  const pair = readTlsPair(tls);
  const plain = bindPort(place);
  const socket = bindPort({ ...place, port: tls.port });
  const onPair = (take: (pair: TlsPair) => void) => watchTlsFiles(tls, take, lookEveryMs);
  return { plain, secure: { socket, pair, legacyCiphers: tls.legacyCiphers, onPair } };
}

/** `serve` on ports bound here. */
export async function listen(handler: RequestListener, options: ListenOptions): Promise<Server[]> {
  return serve(handler, bindPorts(options));
}

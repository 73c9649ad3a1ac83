import { once } from "node:events";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo, Server as SocketServer } from "node:net";
import { onTestFinished } from "vitest";
import { bindPort, type Place } from "@/lib/platform/listen/bind";
import { type Ports, serve } from "@/lib/platform/listen/listen";
import { readTlsPair, type TlsFiles, type TlsPair, watchTlsFiles } from "@/lib/platform/listen/tls-files";

export interface ListenOptions extends Place {
  readonly tls: (TlsFiles & { readonly port: number }) | null;
  readonly checkEveryMs?: number;
}

export async function bindPorts({ tls, checkEveryMs, ...place }: ListenOptions): Promise<Ports> {
  if (tls === null) return { plain: bindPort(place), secure: null };
  const pair = await readTlsPair(tls);
  const plain = bindPort(place);
  const socket = bindPort({ ...place, port: tls.port });
  const onPair = (take: (pair: TlsPair) => void) => watchTlsFiles(tls, take, checkEveryMs);
  return { plain, secure: { socket, pair, legacyCiphers: tls.legacyCiphers, onPair } };
}

export async function listen(handler: RequestListener, options: ListenOptions): Promise<Server[]> {
  return serve(handler, await bindPorts(options));
}

export async function listenToEnd(server: SocketServer | Server): Promise<number> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.close();
    if ("closeAllConnections" in server) server.closeAllConnections();
  });
  return (server.address() as AddressInfo).port;
}

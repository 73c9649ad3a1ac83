import { createServer, type IncomingMessage, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import path from "node:path";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { ConsoleGateway, type ConsoleGatewayOptions } from "@/lib/vehicle-api/console-gateway";
import { closeServers } from "@/lib/platform/listen/listen";
import { listen, type ListenOptions } from "@/test/support/listen";
import { temporaryFolder } from "@/test/support/temporary-folder";

export async function startConsole(handler: RequestListener) {
  const folder = temporaryFolder();
  const socket = path.join(folder, "console.sock");
  const seen: { head: IncomingMessage; body: Buffer }[] = [];
  let server: ReturnType<typeof createServer> | null = null;
  const start = () => {
    const made = createServer({ keepAliveTimeout: 65_000 }, (request, response) => {
      const body = buffer(request);
      body.then(
        (bytes) => seen.push({ head: request, body: bytes }),
        () => undefined,
      );
      handler(request, response);
    });
    server = made;
    return new Promise<void>((resolve) => made.listen(socket, resolve));
  };
  const kill = () =>
    new Promise<void>((resolve) => {
      server?.close(() => resolve());
      server?.closeAllConnections();
    });
  await start();
  onTestFinished(async () => {
    await kill();
  });
  return { address: { path: socket }, seen, start, kill };
}

const sharedHeaders = { "X-Content-Type-Options": "nosniff" };

export async function startGateway(
  handler: RequestListener,
  options: Partial<ConsoleGatewayOptions> = {},
  tls: ListenOptions["tls"] = null,
) {
  const behind = await startConsole(handler);
  const gateway = new ConsoleGateway({ console: behind.address, maxAtOnce: 8, headers: sharedHeaders, ...options });
  const servers = await listen((request, response) => void gateway.pass(request, response), {
    address: "127.0.0.1",
    port: 0,
    tls,
  });
  onTestFinished(async () => {
    await closeServers(servers, 0);
    gateway.close();
  });
  const [port = 0, securePort = 0] = servers.map((server) => (server.address() as AddressInfo).port);
  return { ...behind, gateway, port, securePort, url: `http://127.0.0.1:${port}` };
}

import { once } from "node:events";
import { request as ask, type IncomingMessage } from "node:http";
import path from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { vehicleWorkerPeerHeader } from "@/lib/platform/http/headers/worker-peer";
import { loadSettings } from "@/lib/platform/settings";
import { type ConsoleOptions, createConsoleServer } from "@/server/console-server";
import { readKnownPaths } from "@/server/refusals/known-paths";
import { aNextBuild } from "@/test/support/next-build";
import { temporaryFolder } from "@/test/support/temporary-folder";

export async function startConsoleServer(options: Pick<ConsoleOptions, "handler"> & Partial<ConsoleOptions>) {
  const { build, files } = aNextBuild();
  const socketPath = path.join(temporaryFolder(), "console.sock");
  const server = createConsoleServer({
    settings: loadSettings(),
    prepared: Promise.resolve(),
    paths: readKnownPaths(build, files),
    isBehindVehicleWorkers: true,
    ...options,
  }).listen(socketPath);
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const get = async (target: string, headers: Record<string, string> = {}, method = "GET") => {
    const peer = { [vehicleWorkerPeerHeader]: "192.0.2.1 http" };
    const sent = ask({ agent: false, socketPath, path: target, method, headers: { ...peer, ...headers } });
    sent.end();
    const [response] = (await once(sent, "response")) as [IncomingMessage];
    return { status: response.statusCode, headers: response.headers, body: await text(response) };
  };
  return { server, get };
}

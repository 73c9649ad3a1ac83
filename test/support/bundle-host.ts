import { readdirSync } from "node:fs";
import { createServer, type RequestListener } from "node:http";
import * as https from "node:https";
import type { AddressInfo, Server } from "node:net";
import { afterAll } from "vitest";
import type { Settings } from "@/lib/platform/settings";
import { readSettings } from "@/test/support/settings";
import { temporaryFolder } from "@/test/support/temporary-folder";

const servers: Server[] = [];

/** Closes the hosts of a test file after it; call it once at its top. */
export function endBundleHosts(): void {
  afterAll(() => {
    for (const server of servers.splice(0)) {
      if ("closeAllConnections" in server) (server as https.Server).closeAllConnections();
      server.close();
    }
  });
}

export async function startBundleHost(
  answer: RequestListener,
  { address = "127.0.0.1", tls }: { address?: string; tls?: { readonly key: string; readonly cert: string } } = {},
) {
  let requests = 0;
  let connections = 0;
  const counted: RequestListener = (request, response) => {
    requests += 1;
    answer(request, response);
  };
  const server = tls === undefined ? createServer(counted) : https.createServer(tls, counted);
  server.on("connection", () => (connections += 1));
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, address, resolve));
  const { port } = server.address() as AddressInfo;
  const scheme = tls === undefined ? "http" : "https";
  const url = `${scheme}://${address.includes(":") ? `[${address}]` : address}:${port}`;
  return { port, url, requests: () => requests, connections: () => connections };
}

export function bundleSettings(env: Readonly<Record<string, string>> = {}): Settings {
  const folder = temporaryFolder();
  return readSettings({ DATA_DIR: folder, PUBLIC_BASE_URL: "https://policy.example.com", ...env }, folder);
}

export function filesOf({ dataDir }: Settings): string[] {
  const entries = readdirSync(dataDir, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
}

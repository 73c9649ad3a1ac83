import { createServer } from "node:http";
import createNext from "next";
import type { Settings } from "@/lib/platform/settings";
import { realpathSync } from "node:fs";
import Module from "node:module";
import path from "node:path";

export function startFramework({ nodeEnv, policyServerPort }: Pick<Settings, "nodeEnv" | "policyServerPort">) {
  resolveLinksOfNext();
  const isDevelopment = nodeEnv === "development";
  const next = createNext({
    dev: isDevelopment,
    hostname: "127.0.0.1",
    port: policyServerPort,
    // With an upgrade listener of Next, Node passes it every request that offers an upgrade, and nobody responds. So
    // Next gets a server that never listens. Development tools need their WebSocket.
    ...(isDevelopment ? {} : { httpServer: createServer() }),
  });
  return { handler: next.getRequestHandler(), prepared: next.prepare() };
}

type Resolve = (request: string, ...others: unknown[]) => string;

const links = path.join(".next", "node_modules") + path.sep;

/**
 * Resolves the links through which Next's bundles load packages. After inspecting a pipe or socket, Node 20 leaves
 * them, and a second, unconnected database driver would return 503 forever. Call before loading Next.
 */
export function resolveLinksOfNext(): void {
  const loader = Module as unknown as { _resolveFilename: Resolve };
  const resolve = loader._resolveFilename;
  loader._resolveFilename = function (this: unknown, ...call: Parameters<Resolve>) {
    const found = resolve.apply(this, call);
    return found.includes(links) ? realpathSync.native(found) : found;
  };
}
